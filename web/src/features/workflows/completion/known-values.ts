/** What the values of a run look like: the newest event of its triggers, and the results of earlier nodes. Pure. */
import type { ListedEvent } from '@chancery/contract/events.ts'
import type { Graph, GraphNode } from '@chancery/contract/workflow-graph.ts'
import { upstreamOf } from '../graph/upstream.ts'
import type { Known } from './complete.ts'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Fields without a known value. */
const fields = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, undefined]))

/** As far as the settings say what a node's result looks like. */
function resultOf({ type, config }: GraphNode): unknown {
  if (type === 'transform') return fields(Object.keys(isObject(config.fields) ? config.fields : {}))
  if (type === 'http_request') return fields(['status', 'headers', 'body'])
  if (type === 'approval') return fields(['approved', 'comment', 'by', 'at'])
  const { output_schema: schema } = config
  if (type === 'agent' && isObject(schema) && isObject(schema.properties)) return fields(Object.keys(schema.properties))
  return undefined
}

/** Outputs of a past run, by node. What the settings promise is offered too: the node may have changed since. */
export type PastOutputs = Readonly<Record<string, unknown>>

const seenResult = (node: GraphNode, outputs: PastOutputs): unknown => {
  const [promised, seen] = [resultOf(node), outputs[node.id]]
  return isObject(promised) && isObject(seen) ? { ...promised, ...seen } : (seen ?? promised)
}

interface Samples {
  newest: ListedEvent | undefined
  outputs: PastOutputs
}

export function knownValues(graph: Graph, nodeId: string, { newest, outputs }: Samples): Known {
  const event = newest && eventFields(newest)
  const before = upstreamOf(graph, nodeId)
  const sources = graph.edges.filter(({ target }) => target === nodeId).map(({ source }) => source)
  const [only] = before.filter(({ id }) => sources.includes(id))
  return {
    payload: event?.payload,
    event,
    input: only ? (sources.length === 1 ? seenResult(only, outputs) : undefined) : event,
    state: Object.fromEntries(before.map((node) => [node.id, seenResult(node, outputs)])),
  }
}

const eventFields = ({ event_id, event_type, payload, correlation_id, source, published_at }: ListedEvent) => ({
  id: event_id,
  type: event_type,
  payload,
  correlation_id,
  source,
  published_at,
})

/** What a trigger's filter can use: the fields of all recent events, with the value of the newest that has them. */
export function filterValues(events: readonly ListedEvent[]): Known {
  const [newest] = events
  const payload = events.map((event) => event.payload).reduce<unknown>(merged, undefined)
  const event = newest && { ...eventFields(newest), payload }
  return { payload, event, input: event, state: {} }
}

function merged(newer: unknown, older: unknown): unknown {
  if (newer === undefined) return older
  if (!isObject(newer) || !isObject(older)) return newer
  const names = [...new Set([...Object.keys(newer), ...Object.keys(older)])]
  return Object.fromEntries(names.map((name) => [name, merged(newer[name], older[name])]))
}
