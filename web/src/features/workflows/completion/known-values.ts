/** Sample values of a run: recent events of its triggers, and the results of earlier nodes. Pure. */
import type { ListedEvent } from '@chancery/contract/workflows/events.ts'
import type { Graph, GraphEdge, GraphNode } from '@chancery/contract/workflows/graph.ts'
import { upstreamOf } from '../graph/upstream.ts'
import { isObject } from '../kinds/kind.ts'
import { nodeKinds } from '../kinds/node-kinds.ts'
import type { Known } from './complete.ts'

/** Fields without a known value. */
const fields = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, undefined]))

/** As far as the settings say what a node's result looks like. */
function resultOf({ type, config }: GraphNode) {
  const names = nodeKinds[type].result?.(config)
  return names && fields(names)
}

/** Outputs of a past run, by node. What the settings promise is offered too: the node may have changed since. */
export type PastOutputs = Readonly<Record<string, unknown>>

/** A node that fails and goes on returns its error instead. */
const failure = fields(['error', 'code', 'line', 'status', 'headers', 'body'])

const seenResult = (node: GraphNode, outputs: PastOutputs): unknown => {
  const [promised, seen] = [resultOf(node), outputs[node.id]]
  const result = isObject(promised) && isObject(seen) ? { ...promised, ...seen } : (seen ?? promised)
  return node.config.on_error === 'continue' && isObject(result) ? { ...failure, ...result } : result
}

/** Recent values. */
export interface Samples {
  /** Those that may start the workflow, the newest first. */
  events: readonly ListedEvent[]
  outputs: PastOutputs
}

export const knownValues = (graph: Graph, nodeId: string, samples: Samples): Known =>
  knownValuesOf(graph, samples)(nodeId)

/** For many nodes of a graph. */
export function knownValuesOf(graph: Graph, { events, outputs }: Samples): (nodeId: string) => Known {
  const { payload, event } = filterValues(events)
  const inputOf = inputsOf(graph, { outputs, event })
  return (nodeId) => ({
    payload,
    event,
    input: inputOf(nodeId),
    state: Object.fromEntries(upstreamOf(graph, nodeId).map((node) => [node.id, seenResult(node, outputs)])),
  })
}

/**
 * The output of the node before; of several, an object by their IDs. Each node's input is found once, since every pair of
 * parallel nodes doubles the number of paths. Undefined where a circle leads back to the node.
 */
function inputsOf({ nodes, edges }: Graph, { outputs, event }: { outputs: PastOutputs; event: unknown }) {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const incoming = Map.groupBy(edges, ({ target }) => target)
  const inputs = new Map<string, unknown>()

  const outputAlong = ({ source, source_handle }: GraphEdge): unknown => {
    const node = byId.get(source)
    if (!node || source_handle === 'error') return undefined
    return passesOn(node) ? inputOf(source) : seenResult(node, outputs)
  }
  const findInput = (nodeId: string): unknown => {
    const sources = new Map(incoming.get(nodeId)?.map((edge) => [edge.source, edge]))
    const [only] = sources.values()
    if (!only) return event
    if (sources.size === 1 && byId.get(nodeId)?.type !== 'merge') return outputAlong(only)
    return Object.fromEntries([...sources].map(([source, edge]) => [source, outputAlong(edge)]))
  }
  const inputOf = (nodeId: string): unknown => {
    if (!inputs.has(nodeId)) {
      inputs.set(nodeId, undefined)
      inputs.set(nodeId, findInput(nodeId))
    }
    return inputs.get(nodeId)
  }
  return inputOf
}

/** Conditions and pauses have no result for the next node: it sees what they saw. */
const passesOn = ({ type, config }: GraphNode): boolean => nodeKinds[type].passesOn?.(config) ?? false

const eventFields = ({ event_id, event_type, payload, correlation_id, source, published_at }: ListedEvent) => ({
  id: event_id,
  type: event_type,
  payload,
  correlation_id,
  source,
  published_at,
})

/** Values for a trigger's filter: the fields of all recent events, with the value of the newest that has them. */
export function filterValues(events: readonly ListedEvent[]): Known {
  const [newest] = events
  const payload = events.map((event) => event.payload).reduce<unknown>(merged, undefined)
  const event = newest && { ...eventFields(newest), payload }
  return { payload, event, input: event, state: {} }
}

/** Values for a wait's filter: recent events of the type it waits for, and the run as the node sees it. */
export function waitValues(events: readonly ListedEvent[], { event: started, input, state }: Known): Known {
  const { payload, event } = filterValues(events)
  return { payload, event, input, state: { ...state, ...(started !== undefined && { _event: started }) } }
}

function merged(newer: unknown, older: unknown): unknown {
  if (newer === undefined) return older
  if (!isObject(newer) || !isObject(older)) return newer
  const names = [...new Set([...Object.keys(newer), ...Object.keys(older)])]
  return Object.fromEntries(names.map((name) => [name, merged(newer[name], older[name])]))
}
