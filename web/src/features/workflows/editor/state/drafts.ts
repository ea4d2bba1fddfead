/**
 * What was typed into a field and cannot be taken over yet: JSON with a bracket missing, a number that is none. It is
 * kept by node and field, so that choosing another node loses nothing, and dropped once the value under it is another,
 * by undo say. Pure.
 */
import type { Graph, GraphProblem } from '@chancery/contract/workflow-graph.ts'

/** Where a field is: of a node, or of the whole workflow, whose paths begin with `settings`. */
export interface FieldPlace {
  nodeId: string | undefined
  /** `name`, `config.arguments`, `config.cases[0].handle`, `settings.deadline_sec`. */
  path: string
}

export interface Typed {
  text: string
  problem: string
  /** What a number is counted in, where one can choose. */
  unit?: number
}

export interface Draft extends FieldPlace, Typed {
  /** The value that it was typed over, as JSON. */
  over: string | undefined
}

const isAt = (draft: Draft, { nodeId, path }: FieldPlace): boolean => draft.nodeId === nodeId && draft.path === path

export const draftAt = (drafts: readonly Draft[], place: FieldPlace): Draft | undefined =>
  drafts.find((draft) => isAt(draft, place))

/** In the order in which they were begun. */
export function withDraft(drafts: readonly Draft[], next: Draft): readonly Draft[] {
  const isKnown = drafts.some((draft) => isAt(draft, next))
  return isKnown ? drafts.map((draft) => (isAt(draft, next) ? next : draft)) : [...drafts, next]
}

export const withoutDraft = (drafts: readonly Draft[], place: FieldPlace): readonly Draft[] =>
  drafts.some((draft) => isAt(draft, place)) ? drafts.filter((draft) => !isAt(draft, place)) : drafts

/** As JSON; undefined where there is no such value, or no such node. */
export function valueAt(graph: Graph, { nodeId, path }: FieldPlace): string | undefined {
  let value: unknown = nodeId === undefined ? graph : graph.nodes.find(({ id }) => id === nodeId)
  for (const part of path.match(/[^.[\]]+/g) ?? [])
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[part] : undefined
  return JSON.stringify(value)
}

/** A node takes its drafts along when it is deleted: another may get its id later. */
export function draftsOfNodes({ nodes }: Graph, drafts: readonly Draft[]): readonly Draft[] {
  const ids = new Set(nodes.map(({ id }) => id))
  const kept = drafts.filter(({ nodeId }) => nodeId === undefined || ids.has(nodeId))
  return kept.length === drafts.length ? drafts : kept
}

/** Those that still stand over the value they were typed over. */
export const liveDrafts = (graph: Graph, drafts: readonly Draft[]): readonly Draft[] =>
  draftsOfNodes(graph, drafts).filter((draft) => valueAt(graph, draft) === draft.over)

/** What the server says of such a field is about the value below, which nobody sees: the draft's own word goes first. */
export function withDraftProblems(drafts: readonly Draft[], problems: readonly GraphProblem[]): GraphProblem[] {
  const own = drafts.map(({ nodeId, path, problem }) => ({
    ...{ node_id: nodeId ?? null, edge_id: null, field: path, message: problem },
  }))
  const isHidden = ({ node_id, field }: GraphProblem) =>
    own.some((draft) => draft.node_id === node_id && draft.field === field)
  return [...own, ...problems.filter((problem) => !isHidden(problem))]
}
