/** The address follows the selection, and the selection an address that somebody else changed. */
import { useEffect, useRef } from 'react'
import { nothing, onlyNode, selectionOf } from './state/editor-state.ts'
import type { Editing } from './use-editing.ts'

export function useNodeInAddress(
  { graph, selection, select }: Editing,
  nodeId: string | undefined,
  onNode: (nodeId: string | undefined) => void,
) {
  const selected = onlyNode(selection)
  const told = useRef(nodeId)
  useEffect(() => {
    if (told.current === selected) return
    told.current = selected
    onNode(selected)
  }, [selected, onNode])
  useEffect(() => {
    if (told.current === nodeId) return
    told.current = nodeId
    const isThere = graph.nodes.some(({ id }) => id === nodeId)
    select(nodeId !== undefined && isThere ? selectionOf(nodeId) : nothing)
  }, [nodeId, graph, select])
}
