/** One-line graphs for tests. */
import type { Graph, GraphNode, NodeType } from '@chancery/contract/workflows/graph.ts'

export const node = (id: string, type: NodeType = 'transform', config: GraphNode['config'] = {}): GraphNode => ({
  id,
  type,
  name: id.toUpperCase(),
  position: { x: 0, y: 0 },
  config,
})

/** `graphOf('a b c', 'a>b', 'b:true>c')`. */
export function graphOf(ids: string, ...edges: string[]): Graph {
  return {
    nodes: ids.split(' ').map((id) => node(id)),
    edges: edges.map((text) => {
      const [from = '', target = ''] = text.split('>')
      const [source = '', handle] = from.split(':')
      return { id: text.replaceAll(/\W/g, '-'), source, target, ...(handle !== undefined && { source_handle: handle }) }
    }),
  }
}
