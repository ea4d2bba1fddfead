/**
 * Nodes in the clipboard, as text, so they can be pasted into another workflow or window. Pasted nodes get new IDs and
 * keep the edges between them.
 */
import { type Graph, GraphEdge, GraphNode } from '@chancery/contract/workflows/graph.ts'
import { parseJson } from '#lib/http/exact-json.ts'
import type { Point } from './graph-edits.ts'
import { freeId, idsOf, stemOf } from './ids.ts'
import { withoutSecrets } from './secrets.ts'

export interface Clip {
  nodes: GraphNode[]
  edges: GraphEdge[]
}

const mark = 'chancery-nodes'
const most = { nodes: 1000, edges: 5000 }

export function clipOf(graph: Graph, ids: ReadonlySet<string>): Clip {
  return {
    nodes: graph.nodes.filter(({ id }) => ids.has(id)).map(withoutSecrets),
    edges: graph.edges.filter(({ source, target }) => ids.has(source) && ids.has(target)),
  }
}

export const writeClip = (clip: Clip): string => JSON.stringify({ [mark]: 1, ...clip })

/** The clipboard can hold anything; only text in our own format is accepted. */
export function readClip(text: string): Clip | undefined {
  if (!text.includes(mark)) return undefined
  try {
    const value = parseJson(text) as { nodes?: unknown; edges?: unknown }
    const nodes = GraphNode.array().max(most.nodes).safeParse(value.nodes)
    const edges = GraphEdge.array().max(most.edges).safeParse(value.edges)
    return nodes.success && edges.success ? { nodes: nodes.data, edges: edges.data } : undefined
  } catch {
    return undefined
  }
}

/** `by` is the offset from the original position. Also returns the new IDs, so the pasted nodes can be selected. */
export function pasteClip(graph: Graph, clip: Clip, by: Point): { graph: Graph; ids: Set<string> } {
  const taken = idsOf(graph.nodes)
  const renamed = new Map<string, string>()
  const nodes = clip.nodes.map((node) => {
    const id = freeId(stemOf(node.id), taken)
    taken.add(id)
    renamed.set(node.id, id)
    const position = { x: node.position.x + by.x, y: node.position.y + by.y }
    return { ...structuredClone(node), id, position }
  })
  const edges = pasteEdges(clip.edges, renamed, idsOf(graph.edges))
  return {
    graph: { ...graph, nodes: [...graph.nodes, ...nodes], edges: [...graph.edges, ...edges] },
    ids: new Set(renamed.values()),
  }
}

function pasteEdges(
  edges: readonly GraphEdge[],
  renamed: ReadonlyMap<string, string>,
  taken: Set<string>,
): GraphEdge[] {
  return edges.flatMap((edge) => {
    const source = renamed.get(edge.source)
    const target = renamed.get(edge.target)
    if (source === undefined || target === undefined) return []
    const id = freeId([source, edge.source_handle, target].filter(Boolean).join('-'), taken)
    taken.add(id)
    return [{ ...edge, id, source, target }]
  })
}
