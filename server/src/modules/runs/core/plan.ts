/**
 * Which nodes run next, given how the finished ones ended. A node runs once all its incoming edges are settled and at
 * least one was followed; when none was, the node is skipped, and so are the edges out of it. A join therefore waits for
 * every branch that can still arrive, and never for one that can't. A merge of `any` branch runs with the first. Pure.
 */
import type { Graph } from '@chancery/contract/workflows/graph.ts'
import { kindOf } from '#modules/workflow-graph/index.ts'

/** The handle a node ended with (null is the unnamed one), or that it never ran. */
export type Outcome = { handle: string | null } | 'skipped'

export interface Plan {
  ready: string[]
  /** Nodes that can no longer be reached and aren't marked as skipped yet. */
  unreachable: string[]
}

interface IncomingEdge {
  source: string
  handle: string | null
}

/** The edges of a graph by node, built once. */
export interface Wiring {
  order: readonly string[]
  incoming: ReadonlyMap<string, readonly IncomingEdge[]>
  /** The nodes to check again when a node has finished. */
  next: ReadonlyMap<string, readonly string[]>
  /** Nodes that run as soon as one of their edges was followed. */
  eager: ReadonlySet<string>
}

export const wire = ({ nodes, edges }: Pick<Graph, 'nodes' | 'edges'>): Wiring => {
  const incoming = new Map<string, IncomingEdge[]>(nodes.map(({ id }) => [id, []]))
  const next = new Map<string, string[]>(nodes.map(({ id }) => [id, []]))
  for (const { source, source_handle, target } of edges) {
    incoming.get(target)?.push({ source, handle: source_handle || null })
    next.get(source)?.push(target)
  }
  const eager = nodes.filter(({ type, config }) => kindOf(type).joins?.(config) === 'first').map(({ id }) => id)
  return { order: nodes.map(({ id }) => id), incoming, next, eager: new Set(eager) }
}

const isFollowed = ({ source, handle }: IncomingEdge, outcomes: ReadonlyMap<string, Outcome>): boolean => {
  const outcome = outcomes.get(source)
  return typeof outcome === 'object' && outcome.handle === handle
}

type Readiness = 'blocked' | 'ready' | 'unreachable'

const readinessOf = (
  incoming: readonly IncomingEdge[],
  outcomes: ReadonlyMap<string, Outcome>,
  isEager: boolean,
): Readiness => {
  if (incoming.length === 0) return 'ready'
  if (isEager && incoming.some((edge) => isFollowed(edge, outcomes))) return 'ready'
  if (incoming.some(({ source }) => !outcomes.has(source))) return 'blocked'
  return incoming.some((edge) => isFollowed(edge, outcomes)) ? 'ready' : 'unreachable'
}

/**
 * `after` are the nodes that finished since the last plan; undefined checks all nodes. Skipping spreads within one plan.
 * The caller leaves out nodes that are running: they count as ready until they have an outcome.
 */
export const planNext = (
  { order, incoming, next, eager }: Wiring,
  outcomes: ReadonlyMap<string, Outcome>,
  after?: readonly string[],
): Plan => {
  const known = new Map(outcomes)
  const ready = new Set<string>()
  const unreachable: string[] = []
  const pending = after === undefined ? [...order] : after.flatMap((id) => next.get(id) ?? [])
  for (let id = pending.shift(); id !== undefined; id = pending.shift()) {
    if (known.has(id) || ready.has(id)) continue
    const readiness = readinessOf(incoming.get(id) ?? [], known, eager.has(id))
    if (readiness === 'ready') ready.add(id)
    if (readiness !== 'unreachable') continue
    known.set(id, 'skipped')
    unreachable.push(id)
    pending.push(...(next.get(id) ?? []))
  }
  return { ready: [...ready], unreachable }
}

/** The nodes a node was reached from, in the order of the edges. */
export const followedSources = ({ incoming }: Wiring, outcomes: ReadonlyMap<string, Outcome>, id: string): string[] => [
  ...new Set(sourcesOf(incoming.get(id), outcomes)),
]

/** The nodes the run ended at: those that finished with a handle no followed edge leaves from. */
export const endsOf = ({ order, incoming }: Wiring, outcomes: ReadonlyMap<string, Outcome>): string[] => {
  const continued = new Set<string>()
  for (const id of order)
    if (outcomes.has(id)) for (const source of sourcesOf(incoming.get(id), outcomes)) continued.add(source)
  return order.filter((id) => typeof outcomes.get(id) === 'object' && !continued.has(id))
}

const sourcesOf = (edges: readonly IncomingEdge[] = [], outcomes: ReadonlyMap<string, Outcome>): string[] =>
  edges.filter((edge) => isFollowed(edge, outcomes)).map(({ source }) => source)
