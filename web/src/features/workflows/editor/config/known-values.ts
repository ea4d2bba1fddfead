/** What the values of a run look like: the newest event of its triggers, and the results of earlier nodes. Pure. */
import type { ListedEvent } from '@chancery/contract/events.ts'
import type { Graph, GraphNode } from '@chancery/contract/workflow-graph.ts'
import { upstreamOf } from '../../graph/upstream.ts'
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

export function knownValues(graph: Graph, nodeId: string, newest: ListedEvent | undefined): Known {
  const event = newest && {
    id: newest.event_id,
    type: newest.event_type,
    payload: newest.payload,
    correlation_id: newest.correlation_id,
    source: newest.source,
    published_at: newest.published_at,
  }
  const before = upstreamOf(graph, nodeId)
  const sources = graph.edges.filter(({ target }) => target === nodeId).map(({ source }) => source)
  const [only] = before.filter(({ id }) => sources.includes(id))
  return {
    payload: event?.payload,
    event,
    input: only ? (sources.length === 1 ? resultOf(only) : undefined) : event,
    state: Object.fromEntries(before.map((node) => [node.id, resultOf(node)])),
  }
}
