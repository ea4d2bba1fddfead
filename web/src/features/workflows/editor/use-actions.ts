/** The editor's actions, shared by keys, buttons and the canvas. */
import type { Graph, NodeType } from '@chancery/contract/workflows/graph.ts'
import { useReactFlow } from '@xyflow/react'
import { type RefObject, useCallback, useMemo, useRef } from 'react'
import { layOut } from '../graph/auto-layout.ts'
import { fitOptions } from '../graph/graph-view.tsx'
import { startId } from '../graph/start-node.ts'
import { type Clip, clipOf, pasteClip, readClip, writeClip } from './state/clipboard.ts'
import { nothing, onlyNode, type Selection, selectionOf } from './state/editor-state.ts'
import { addNode, type Join, joinNodes, type Point, removeElements } from './state/graph-edits.ts'
import { idsOf } from './state/ids.ts'
import { freeOutput, freePosition, positionAfter } from './state/node-position.ts'
import type { EditorActions } from './tools/use-editor-keys.ts'
import type { Editing } from './use-editing.ts'

/** Copies are offset, so they don't cover the original. */
const nudge = { x: 24, y: 84 }

interface Adding {
  at?: Point
  /** The node it follows; without a position it is placed beside that node. */
  from?: Omit<Join, 'target'> | undefined
}

export function useActions(editing: Editing, canvasRef: RefObject<HTMLElement | null>, onAsk: () => void) {
  const { graph, edit, select, undo, redo } = editing
  // The Start node can't be copied or deleted.
  const selection = editing.selection.nodes.has(startId) ? nothing : editing.selection
  const flow = useReactFlow()
  const middle = useCallback(() => {
    const box = canvasRef.current?.getBoundingClientRect()
    return flow.screenToFlowPosition({
      x: (box?.left ?? 0) + (box?.width ?? 0) / 2 - 100,
      y: (box?.top ?? 0) + (box?.height ?? 0) / 2 - 30,
    })
  }, [flow, canvasRef])

  const add = useCallback(
    (type: NodeType, { at, from }: Adding = {}) => {
      const position = at ?? (from ? positionAfter(graph, from.source) : freePosition(graph, middle()))
      const { graph: next, id } = addNode(graph, type, position)
      edit(() => (from ? joinNodes(next, { ...from, target: id }) : next), { select: selectionOf(id) })
    },
    [graph, edit, middle],
  )
  const putClip = useCallback(
    (clip: Clip, by: Point) => {
      const { graph: next, ids } = pasteClip(graph, clip, by)
      edit(() => next, { select: { nodes: ids, edges: new Set() } })
    },
    [graph, edit],
  )
  const paste = usePaste(graph, putClip, middle)
  const actions = useMemo(
    (): EditorActions => ({
      undo,
      redo,
      add: onAsk,
      duplicate: () => selection.nodes.size > 0 && putClip(clipOf(graph, selection.nodes), nudge),
      remove: () => edit((now) => removeElements(now, selection.nodes, selection.edges), { select: nothing }),
      selectAll: () => select({ nodes: idsOf(graph.nodes), edges: idsOf(graph.edges) }),
      clear: () => select(nothing),
      tidy: () => {
        edit(layOut)
        requestAnimationFrame(() => void flow.fitView({ ...fitOptions, duration: 160 }))
      },
      fit: () => void flow.fitView({ ...fitOptions, duration: 160 }),
      copy: () => (selection.nodes.size === 0 ? undefined : writeClip(clipOf(graph, selection.nodes))),
      paste,
    }),
    [graph, selection, edit, select, undo, redo, onAsk, putClip, paste, flow],
  )
  return { add, actions }
}

/**
 * Nodes copied here are pasted beside the originals; nodes from elsewhere go to the visible area. Each further paste is
 * offset again.
 */
function usePaste(graph: Graph, putClip: (clip: Clip, by: Point) => void, middle: () => Point) {
  const pasted = useRef({ text: '', times: 0 })
  return useCallback(
    (text: string): boolean => {
      const clip = readClip(text)
      const [first] = clip?.nodes ?? []
      if (!clip || !first) return false
      const times = pasted.current.text === text ? pasted.current.times + 1 : 1
      pasted.current = { text, times }
      const isFromHere = graph.nodes.some(({ id }) => id === first.id)
      const to = middle()
      const by = isFromHere
        ? { x: nudge.x * times, y: nudge.y * times }
        : { x: to.x - first.position.x, y: to.y - first.position.y + nudge.y * (times - 1) }
      putClip(clip, by)
      return true
    },
    [graph, putClip, middle],
  )
}

/** A node added while another is selected goes after it, on its first unconnected output. */
export function followingOf(graph: Graph, selection: Selection): Omit<Join, 'target'> | undefined {
  const only = onlyNode(selection)
  if (only === undefined) return undefined
  const handle = freeOutput(graph, only)
  return handle === undefined ? undefined : { source: only, handle }
}
