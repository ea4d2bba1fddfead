/** All edits of a graph, as functions from graph to graph. Untouched parts keep their identity. */
import type { Graph, GraphEdge, GraphNode, NodeType } from '@chancery/contract/workflows/graph.ts'
import { upstreamOf } from '../../graph/upstream.ts'
import { newConfig, nodeKinds } from '../../kinds/node-kinds.ts'
import { freeId, freeName, idsOf } from './ids.ts'

export interface Point {
  x: number
  y: number
}

export interface Join {
  source: string
  target: string
  handle: string | null
}

export function addNode(graph: Graph, type: NodeType, at: Point): { graph: Graph; id: string } {
  const id = freeId(nodeKinds[type].idStem, idsOf(graph.nodes))
  const node: GraphNode = {
    id,
    type,
    name: freeName(nodeKinds[type].label, graph.nodes),
    position: rounded(at),
    config: newConfig(type),
  }
  return { graph: { ...graph, nodes: [...graph.nodes, node] }, id }
}

const rounded = ({ x, y }: Point): Point => ({ x: Math.round(x), y: Math.round(y) })

/** A node that was removed in the meantime isn't changed. */
const changeNode = (graph: Graph, id: string, change: (node: GraphNode) => GraphNode): Graph =>
  graph.nodes.some((node) => node.id === id)
    ? { ...graph, nodes: graph.nodes.map((node) => (node.id === id ? change(node) : node)) }
    : graph

export const renameNode = (graph: Graph, id: string, name: string): Graph =>
  changeNode(graph, id, (node) => ({ ...node, name }))

/** Fields set to undefined are removed. */
export const configureNode = (graph: Graph, id: string, patch: GraphNode['config']): Graph =>
  changeNode(graph, id, (node) => ({ ...node, config: without({ ...node.config, ...patch }) }))

const without = (config: GraphNode['config']): GraphNode['config'] =>
  Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined))

export function moveNodes(graph: Graph, positions: ReadonlyMap<string, Point>): Graph {
  const nodes = graph.nodes.map((node) => {
    const position = rounded(positions.get(node.id) ?? node.position)
    return position.x === node.position.x && position.y === node.position.y ? node : { ...node, position }
  })
  return nodes.every((node, index) => node === graph.nodes[index]) ? graph : { ...graph, nodes }
}

/** Edges are removed with their nodes. */
export function removeElements(graph: Graph, nodeIds: ReadonlySet<string>, edgeIds: ReadonlySet<string>): Graph {
  if (nodeIds.size === 0 && edgeIds.size === 0) return graph
  return {
    ...graph,
    nodes: graph.nodes.filter(({ id }) => !nodeIds.has(id)),
    edges: graph.edges.filter(
      ({ id, source, target }) => !edgeIds.has(id) && !nodeIds.has(source) && !nodeIds.has(target),
    ),
  }
}

const isSameJoin = (edge: GraphEdge, { source, target, handle }: Join): boolean =>
  edge.source === source && edge.target === target && (edge.source_handle || null) === handle

/** True for an edge that may be added: between two nodes, not a duplicate, and no cycle. */
export function canJoin(graph: Graph, join: Join, replaced?: string): boolean {
  const edges = graph.edges.filter(({ id }) => id !== replaced)
  return !edges.some((edge) => isSameJoin(edge, join)) && !isReachable(edges, join.target, join.source)
}

function isReachable(edges: readonly GraphEdge[], from: string, to: string): boolean {
  const next = Map.groupBy(edges, ({ source }) => source)
  const reached = new Set([from])
  for (const id of reached) for (const { target } of next.get(id) ?? []) reached.add(target)
  return reached.has(to)
}

/** All nodes that an output may connect to, computed in one pass over the graph. */
export function targetsOf(graph: Graph, source: string, handle: string | null): GraphNode[] {
  const closed = new Set([source, ...upstreamOf(graph, source).map(({ id }) => id)])
  for (const edge of graph.edges)
    if (edge.source === source && (edge.source_handle || null) === handle) closed.add(edge.target)
  return graph.nodes.filter(({ id }) => !closed.has(id))
}

export function joinNodes(graph: Graph, join: Join): Graph {
  if (!canJoin(graph, join)) return graph
  const { source, target, handle } = join
  const wish = handle === null ? `${source}-${target}` : `${source}-${handle}-${target}`
  const edge: GraphEdge = {
    id: freeId(wish, idsOf(graph.edges)),
    source,
    target,
    ...(handle !== null && { source_handle: handle }),
  }
  return { ...graph, edges: [...graph.edges, edge] }
}

/** Moves one end of an edge to another node. */
export function rejoinNodes(graph: Graph, edgeId: string, join: Join): Graph {
  if (!canJoin(graph, join, edgeId)) return graph
  return joinNodes({ ...graph, edges: graph.edges.filter(({ id }) => id !== edgeId) }, join)
}

/** Sets the cases of a condition; the edges of a renamed case follow. */
export function renameOutput(graph: Graph, nodeId: string, from: string, to: string): Graph {
  const isRenamed = (edge: GraphEdge) => edge.source === nodeId && edge.source_handle === from
  return graph.edges.some(isRenamed)
    ? { ...graph, edges: graph.edges.map((edge) => (isRenamed(edge) ? { ...edge, source_handle: to } : edge)) }
    : graph
}

export const changeSettings = (graph: Graph, settings: NonNullable<Graph['settings']>): Graph => ({
  ...graph,
  settings: without(settings),
})
