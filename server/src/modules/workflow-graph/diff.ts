/**
 * The differences between two graphs of one workflow. Nodes are matched by id, edges by what they connect. A node that only
 * moved is unchanged. Secrets are redacted in the result. Where too much differs, it is named without its fields. Pure.
 */
import type { Graph, GraphEdge, GraphNode } from '@chancery/contract/workflows/graph.ts'
import type { FieldChange, VersionDiff } from '@chancery/contract/workflows/workflows.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import { isSameJson, ownField } from '#kernel/json/same-json.ts'
import { diffLines, type LineWork, newLineWork } from './line-diff.ts'
import { redactPair } from './secrets.ts'

export type GraphDiff = Omit<VersionDiff, 'from' | 'to'>

/** Field changes of one comparison. The server and the browser read each of them. */
const maxFieldChanges = 5000

export const diffGraphs = (before: Graph, after: Graph, { isDetailed = true } = {}): GraphDiff => {
  const work = newLineWork()
  const compare = isDetailed ? (was: GraphNode, is: GraphNode) => nodeChanges(was, is, work) : undefined
  const nodes = diffNodes(before.nodes, after.nodes, compare)
  const edges = diffEdges(before.edges, after.edges)
  const settings = { changed: fieldChanges('', before.settings ?? {}, after.settings ?? {}, work) }
  const fields = nodes.changed.reduce((sum, node) => sum + node.fields.length, settings.changed.length)
  if (isDetailed && fields > maxFieldChanges) return diffGraphs(before, after, { isDetailed: false })
  const summary = summarise({ nodes, edges, settings })
  return { nodes, edges, settings, summary: isDetailed ? summary : withoutDetail(summary) }
}

const withoutDetail = (summary: GraphDiff['summary']): GraphDiff['summary'] => ({
  ...summary,
  text: `${summary.text}; too large to compare in detail`,
})

type CompareNodes = (before: GraphNode, after: GraphNode) => FieldChange[]

/** Without a comparison, nodes that differ are named alone. */
const diffNodes = (
  before: readonly GraphNode[],
  after: readonly GraphNode[],
  compare: CompareNodes | undefined,
): GraphDiff['nodes'] => {
  const old = new Map(before.map((node) => [node.id, node]))
  const matched = new Set<string>()
  const result: GraphDiff['nodes'] = { added: [], removed: [], changed: [], unchanged: [] }
  for (const node of after) {
    const was = old.get(node.id)
    if (!was) {
      result.added.push(named(node))
      continue
    }
    matched.add(node.id)
    const fields = compare?.(was, node) ?? []
    const isChanged = compare ? fields.length > 0 : !isSameNode(was, node)
    if (isChanged) result.changed.push({ id: node.id, name: node.name, fields })
    else result.unchanged.push(node.id)
  }
  result.removed.push(...before.filter(({ id }) => !matched.has(id)).map(named))
  return result
}

const named = ({ id, name, type }: GraphNode) => ({ id, name, type })

const isSameNode = (before: GraphNode, after: GraphNode): boolean =>
  before.name === after.name && before.type === after.type && isSameJson(before.config, after.config)

/** Compared in full, shown redacted: a changed secret is a change that shows neither value. */
const nodeChanges = (before: GraphNode, after: GraphNode, work: LineWork): FieldChange[] => {
  if (isSameNode(before, after)) return []
  const { position: _was, ...old } = before
  const { position: _is, ...now } = after
  const [shownOld, shownNow] = redactPair(old, now)
  return fieldChanges('', shownOld, shownNow, work)
}

/** Down to the fields that differ, with their path; lists of equal length item by item, others as a whole. */
const fieldChanges = (path: string, before: unknown, after: unknown, work: LineWork): FieldChange[] => {
  if (isJsonObject(before) && isJsonObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
    return names.flatMap((name) =>
      fieldChanges(path === '' ? name : `${path}.${name}`, ownField(before, name), ownField(after, name), work),
    )
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((item, index) => fieldChanges(`${path}[${index}]`, item, after[index], work))
  // A missing field and null are the same.
  if (isSameJson(before ?? null, after ?? null)) return []
  const change = { path, before: before ?? null, after: after ?? null }
  const lines = isLongText(before) && isLongText(after) ? diffLines(before, after, work) : undefined
  return [{ ...change, ...(lines && { lines }) }]
}

const isLongText = (value: unknown): value is string => typeof value === 'string' && value.includes('\n')

/** By both ends and their handles: an edge that was deleted and drawn again is the same edge. */
const edgeKey = ({ source, source_handle, target, target_handle }: GraphEdge): string =>
  JSON.stringify([source, source_handle ?? null, target, target_handle ?? null])

const diffEdges = (before: readonly GraphEdge[], after: readonly GraphEdge[]): GraphDiff['edges'] => {
  const old = new Map(before.map((edge) => [edgeKey(edge), edge]))
  const now = new Map(after.map((edge) => [edgeKey(edge), edge]))
  const joined = ({ id, source, target }: GraphEdge) => ({ id, source, target })
  return {
    added: [...now].filter(([key]) => !old.has(key)).map(([, edge]) => joined(edge)),
    removed: [...old].filter(([key]) => !now.has(key)).map(([, edge]) => joined(edge)),
    unchanged: [...now].filter(([key]) => old.has(key)).map(([, edge]) => edge.id),
  }
}

const summarise = ({ nodes, edges, settings }: Omit<GraphDiff, 'summary'>): GraphDiff['summary'] => {
  const added = nodes.added.length + edges.added.length
  const removed = nodes.removed.length + edges.removed.length
  const changed = nodes.changed.length + settings.changed.length
  const parts = [
    counted(nodes.added.length, 'node', 'added'),
    counted(nodes.removed.length, 'node', 'removed'),
    counted(nodes.changed.length, 'node', 'changed'),
    counted(edges.added.length, 'edge', 'added'),
    counted(edges.removed.length, 'edge', 'removed'),
    counted(settings.changed.length, 'setting', 'changed'),
  ].filter((part) => part !== '')
  const unchanged = nodes.unchanged.length + edges.unchanged.length
  return { added, removed, changed, unchanged, text: parts.length === 0 ? 'no difference' : parts.join(', ') }
}

const counted = (count: number, noun: string, verb: string): string =>
  count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'} ${verb}`
