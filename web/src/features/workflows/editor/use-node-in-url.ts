/** Keeps the selected node and the URL in sync, in both directions. */
import { useEffect, useEffectEvent, useRef } from 'react'
import { canSelect, nothing, onlyNode, selectionOf } from './state/editor-state.ts'
import type { Editing } from './use-editing.ts'

export function useNodeInUrl(
  { graph, selection, select }: Editing,
  nodeId: string | undefined,
  onNode: (nodeId: string | undefined) => void,
) {
  const selected = onlyNode(selection)
  const lastSynced = useRef(nodeId)
  useEffect(() => {
    if (lastSynced.current === selected) return
    lastSynced.current = selected
    onNode(selected)
  }, [selected, onNode])
  // Only a change of the URL selects a node: a URL that merely lags behind the selection doesn't.
  const follow = useEffectEvent((wanted: string | undefined) => {
    if (lastSynced.current === wanted) return
    lastSynced.current = wanted
    select(wanted !== undefined && canSelect(graph, wanted) ? selectionOf(wanted) : nothing)
  })
  useEffect(() => follow(nodeId), [nodeId])
}
