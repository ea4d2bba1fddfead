/**
 * Which nodes come next, given how the finished ones were left. A node runs once all its ways in are settled and at least
 * one of them was taken; when none was, it is dead, and so are the ways out of it. So a join waits for every branch that
 * can still come, and never for one that cannot. Pure.
 */
import type { Graph } from '@chancery/contract/workflow-graph.ts'

/** How a node was left: by which handle (null is the plain way), or not entered at all. */
export type Outcome = { handle: string | null } | 'dead'

export interface Plan {
  ready: string[]
  /** Those that can no longer be reached and were not known to be so. */
  dead: string[]
}

interface WayIn {
  source: string
  handle: string | null
}

/** A graph, looked at once: who leads to whom. */
export interface Wiring {
  order: readonly string[]
  waysIn: ReadonlyMap<string, readonly WayIn[]>
  /** Whom to look at again when a node has ended. */
  next: ReadonlyMap<string, readonly string[]>
}

export const wire = ({ nodes, edges }: Pick<Graph, 'nodes' | 'edges'>): Wiring => {
  const waysIn = new Map<string, WayIn[]>(nodes.map(({ id }) => [id, []]))
  const next = new Map<string, string[]>(nodes.map(({ id }) => [id, []]))
  for (const { source, source_handle, target } of edges) {
    waysIn.get(target)?.push({ source, handle: source_handle || null })
    next.get(source)?.push(target)
  }
  return { order: nodes.map(({ id }) => id), waysIn, next }
}

const isTaken = ({ source, handle }: WayIn, outcomes: ReadonlyMap<string, Outcome>): boolean => {
  const outcome = outcomes.get(source)
  return typeof outcome === 'object' && outcome.handle === handle
}

type Standing = 'open' | 'ready' | 'dead'

const standingOf = (waysIn: readonly WayIn[], outcomes: ReadonlyMap<string, Outcome>): Standing => {
  if (waysIn.length === 0) return 'ready'
  if (waysIn.some(({ source }) => !outcomes.has(source))) return 'open'
  return waysIn.some((way) => isTaken(way, outcomes)) ? 'ready' : 'dead'
}

/**
 * `after` are the nodes that ended since the last plan; undefined looks at all. Death spreads within one plan. Nodes
 * under way must be left out by the caller: they are ready for as long as they have no outcome.
 */
export const planNext = (
  { order, waysIn, next }: Wiring,
  outcomes: ReadonlyMap<string, Outcome>,
  after?: readonly string[],
): Plan => {
  const known = new Map(outcomes)
  const ready = new Set<string>()
  const dead: string[] = []
  const pending = after === undefined ? [...order] : after.flatMap((id) => next.get(id) ?? [])
  for (let id = pending.shift(); id !== undefined; id = pending.shift()) {
    if (known.has(id) || ready.has(id)) continue
    const standing = standingOf(waysIn.get(id) ?? [], known)
    if (standing === 'ready') ready.add(id)
    if (standing !== 'dead') continue
    known.set(id, 'dead')
    dead.push(id)
    pending.push(...(next.get(id) ?? []))
  }
  return { ready: [...ready], dead }
}

/** Through which nodes a node was entered, in the order of the edges. */
export const takenSources = ({ waysIn }: Wiring, outcomes: ReadonlyMap<string, Outcome>, id: string): string[] => [
  ...new Set((waysIn.get(id) ?? []).filter((way) => isTaken(way, outcomes)).map(({ source }) => source)),
]

/** Where the run came to its ends: nodes that were left by a way that leads nowhere. */
export const endsOf = ({ order, waysIn }: Wiring, outcomes: ReadonlyMap<string, Outcome>): string[] => {
  const left = new Set<string>()
  for (const id of order) if (outcomes.has(id)) for (const source of takenIn(waysIn.get(id), outcomes)) left.add(source)
  return order.filter((id) => typeof outcomes.get(id) === 'object' && !left.has(id))
}

const takenIn = (ways: readonly WayIn[] = [], outcomes: ReadonlyMap<string, Outcome>): string[] =>
  ways.filter((way) => isTaken(way, outcomes)).map(({ source }) => source)
