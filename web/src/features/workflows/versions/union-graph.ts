/**
 * Both sides of a comparison as one graph: everything that exists now, plus what was removed. Unchanged nodes and edges
 * carry no mark.
 */
import type { Graph, GraphEdge, GraphNode } from '@chancery/contract/workflows/graph.ts'
import type { VersionDiff } from '@chancery/contract/workflows/workflows.ts'
import { hasNoLayout, layOut } from '../graph/auto-layout.ts'
import type { NodeMark, Tone } from '../graph/marks.ts'
import { comparedEntries, type Entries } from '../graph/start-node.ts'

export interface UnionGraph {
  graph: Graph
  marks: ReadonlyMap<string, NodeMark>
  edgeMarks: ReadonlyMap<string, Tone>
  entries: Entries
}

type Differences = Pick<VersionDiff, 'nodes' | 'edges'>

/** The space a card needs, including margins. */
const cell = { width: 240, height: 110 }

export function unionGraph(before: Graph, after: Graph, { nodes, edges }: Differences): UnionGraph {
  const taken = new Set(after.edges.map(({ id }) => id))
  const goneEdges = pick(before.edges, edges.removed).map((edge) => withFreeId(edge, taken))
  return {
    graph: joined(after, pick(before.nodes, nodes.removed), goneEdges),
    marks: new Map<string, NodeMark>([
      ...nodes.added.map(({ id }) => [id, { tone: 'added', label: 'Added' }] as const),
      ...nodes.removed.map(({ id }) => [id, { tone: 'removed', label: 'Removed' }] as const),
      ...nodes.changed.map(({ id, fields }) => [id, changedMark(fields.length)] as const),
    ]),
    edgeMarks: new Map<string, Tone>([
      ...edges.added.map(({ id }) => [id, 'added'] as const),
      ...goneEdges.map(({ id }) => [id, 'removed'] as const),
    ]),
    entries: comparedEntries(before, after),
  }
}

/** Laid out automatically if there are no positions. */
function joined(after: Graph, goneNodes: readonly GraphNode[], goneEdges: readonly GraphEdge[]): Graph {
  const edges = [...after.edges, ...goneEdges]
  const all = { ...after, nodes: [...after.nodes, ...goneNodes], edges }
  if (hasNoLayout(all)) return layOut(all)
  const nodes = [...after.nodes]
  for (const node of goneNodes) nodes.push(beside(node, nodes))
  return { ...after, nodes, edges }
}

const changedMark = (fields: number): NodeMark => ({
  tone: 'changed',
  label: 'Changed',
  detail: fields === 1 ? '1 field' : `${fields} fields`,
})

const pick = <Item extends { id: string }>(items: readonly Item[], named: readonly { id: string }[]): Item[] => {
  const ids = new Set(named.map(({ id }) => id))
  return items.filter(({ id }) => ids.has(id))
}

/** A removed node stays where it was, unless another node is there now: then it moves below. */
function beside(node: GraphNode, others: readonly GraphNode[]): GraphNode {
  const isFree = (y: number) =>
    others.every(
      ({ position }) => Math.abs(position.x - node.position.x) >= cell.width || Math.abs(position.y - y) >= cell.height,
    )
  let { y } = node.position
  for (let tries = 0; tries < others.length && !isFree(y); tries += 1) y += cell.height
  return { ...node, position: { ...node.position, y } }
}

/** A redrawn edge may have the same ID as the one it replaced. */
const withFreeId = (edge: GraphEdge, taken: ReadonlySet<string>): GraphEdge => {
  let { id } = edge
  while (taken.has(id)) id = `${id}-was`
  return { ...edge, id }
}
