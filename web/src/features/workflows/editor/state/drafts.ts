/**
 * Text typed into a field that can't be applied yet: incomplete JSON, an invalid number. It is stored by node and
 * field, so selecting another node loses nothing, and dropped when the value below it changes, for example by undo.
 * Pure.
 */
import type { Graph, GraphProblem } from '@chancery/contract/workflows/graph.ts'

/** The path of a field: of a node, or of the whole workflow (`settings…`). */
export interface FieldPath {
  nodeId: string | undefined
  /** `name`, `config.arguments`, `config.cases[0].handle`, `settings.deadline_sec`. */
  path: string
}

export interface Typed {
  text: string
  problem: string
  /** The unit of a number, if there is a choice. */
  unit?: number
}

export interface Draft extends FieldPath, Typed {
  /** The value it was typed over, as JSON. */
  over: string | undefined
}

const isAt = (draft: Draft, { nodeId, path }: FieldPath): boolean => draft.nodeId === nodeId && draft.path === path

export const draftAt = (drafts: readonly Draft[], field: FieldPath): Draft | undefined =>
  drafts.find((draft) => isAt(draft, field))

/** In the order they were started. */
export function withDraft(drafts: readonly Draft[], next: Draft): readonly Draft[] {
  const isKnown = drafts.some((draft) => isAt(draft, next))
  return isKnown ? drafts.map((draft) => (isAt(draft, next) ? next : draft)) : [...drafts, next]
}

export const withoutDraft = (drafts: readonly Draft[], field: FieldPath): readonly Draft[] =>
  drafts.some((draft) => isAt(draft, field)) ? drafts.filter((draft) => !isAt(draft, field)) : drafts

/** As JSON; undefined if the value or the node doesn't exist. */
export function valueAt(graph: Graph, { nodeId, path }: FieldPath): string | undefined {
  let value: unknown = nodeId === undefined ? graph : graph.nodes.find(({ id }) => id === nodeId)
  for (const part of path.match(/[^.[\]]+/g) ?? [])
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[part] : undefined
  return JSON.stringify(value)
}

/** Drafts are removed with their node: another node may get the same ID later. */
export function draftsOfNodes({ nodes }: Graph, drafts: readonly Draft[]): readonly Draft[] {
  const ids = new Set(nodes.map(({ id }) => id))
  const remaining = drafts.filter(({ nodeId }) => nodeId === undefined || ids.has(nodeId))
  return remaining.length === drafts.length ? drafts : remaining
}

/** Drafts whose underlying value hasn't changed. */
export const liveDrafts = (graph: Graph, drafts: readonly Draft[]): readonly Draft[] =>
  draftsOfNodes(graph, drafts).filter((draft) => valueAt(graph, draft) === draft.over)

/** The server's problem is about the stored value, which isn't visible; the draft's own problem replaces it. */
export function withDraftProblems(drafts: readonly Draft[], problems: readonly GraphProblem[]): GraphProblem[] {
  const own = drafts.map(({ nodeId, path, problem }) => ({
    node_id: nodeId ?? null,
    edge_id: null,
    field: path,
    message: problem,
  }))
  const isHidden = ({ node_id, field }: GraphProblem) =>
    own.some((draft) => draft.node_id === node_id && draft.field === field)
  return [...own, ...problems.filter((problem) => !isHidden(problem))]
}
