/** Builds a template's graph, laid out in columns. */
import type { GraphEdge, GraphNode, NodeType } from '@chancery/contract/workflows/graph.ts'

const columnWidth = 280
const rowHeight = 140

interface Drawn {
  id: string
  name: string
  type: NodeType
  at: readonly [column: number, row: number]
  config: GraphNode['config']
}

export const node = ({ at: [column, row], ...drawn }: Drawn): GraphNode => ({
  ...drawn,
  position: { x: column * columnWidth, y: row * rowHeight },
})

/** `['a', 'b']`, or from a named handle: `['a', 'b', 'true']`. */
export const edge = ([source, target, handle]: readonly [from: string, to: string, handle?: string]): GraphEdge =>
  handle === undefined
    ? { id: `${source}-${target}`, source, target }
    : { id: `${source}-${handle}-${target}`, source, target, source_handle: handle }
