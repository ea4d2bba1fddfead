/** The editor's state: the graph with its undo history, and the selection. A pure reducer. */
import type { Graph } from '@chancery/contract/workflows/graph.ts'
import { beginHistory, type History, record, redo, undo } from '#lib/form/history.ts'
import { startId } from '../../graph/start-node.ts'

export interface Selection {
  nodes: ReadonlySet<string>
  edges: ReadonlySet<string>
}

export interface EditorState {
  history: History<Graph>
  selection: Selection
}

export type EditorAction =
  | { type: 'edit'; edit: (graph: Graph) => Graph; kind?: string; at: number; select?: Selection }
  /** From what is selected now: the canvas tells of nodes and of edges one after the other. */
  | { type: 'select'; change: (now: Selection) => Selection }
  | { type: 'undo' }
  | { type: 'redo' }
  /** Another graph came from the server, which nobody here made. */
  | { type: 'adopt'; graph: Graph; at: number }
  /** The same graph as the server settled it: no step of anybody's. */
  | { type: 'settle'; from: Graph; graph: Graph }

export const nothing: Selection = { nodes: new Set(), edges: new Set() }
export const selectionOf = (...nodeIds: string[]): Selection => ({ nodes: new Set(nodeIds), edges: new Set() })

/** The selected node; undefined if none or several are selected. */
export const onlyNode = ({ nodes: [only, ...others] }: { nodes: Iterable<string> }): string | undefined =>
  others.length === 0 ? only : undefined

export const beginEditing = (graph: Graph, nodeId?: string): EditorState => ({
  history: beginHistory(graph),
  selection: nodeId !== undefined && canSelect(graph, nodeId) ? selectionOf(nodeId) : nothing,
})

/** The Start node is drawn in every graph. */
export const canSelect = ({ nodes }: Graph, nodeId: string): boolean =>
  nodeId === startId || nodes.some(({ id }) => id === nodeId)

export function editorReducer(state: EditorState, action: EditorAction): EditorState {
  if (action.type === 'select') {
    const selection = action.change(state.selection)
    return selection === state.selection ? state : { ...state, selection }
  }
  const history = nextHistory(state.history, action)
  if (history === state.history) return state
  return { history, selection: existing(history.present, nextSelection(state, history.present, action)) }
}

function nextHistory(history: History<Graph>, action: Exclude<EditorAction, { type: 'select' }>): History<Graph> {
  if (action.type === 'undo') return undo(history)
  if (action.type === 'redo') return redo(history)
  if (action.type === 'adopt') return record(history, action.graph, { at: action.at })
  if (action.type === 'settle') return history.present === action.from ? { ...history, present: action.graph } : history
  return record(history, action.edit(history.present), { kind: action.kind, at: action.at })
}

/** Selects what the edit created or brought back. */
function nextSelection({ history, selection }: EditorState, graph: Graph, action: EditorAction): Selection {
  if (action.type === 'edit') return action.select ?? selection
  if (action.type === 'adopt' || action.type === 'settle') return selection
  const before = new Set(history.present.nodes.map(({ id }) => id))
  const back = graph.nodes.filter(({ id }) => !before.has(id))
  return back.length === 0 ? selection : selectionOf(...back.map(({ id }) => id))
}

/** Removed elements are deselected. */
function existing({ nodes, edges }: Graph, selection: Selection): Selection {
  if (selection.nodes.has(startId)) return selection
  const existing = {
    nodes: nodes.filter(({ id }) => selection.nodes.has(id)),
    edges: edges.filter(({ id }) => selection.edges.has(id)),
  }
  if (existing.nodes.length === selection.nodes.size && existing.edges.length === selection.edges.size) return selection
  return { nodes: new Set(existing.nodes.map(({ id }) => id)), edges: new Set(existing.edges.map(({ id }) => id)) }
}
