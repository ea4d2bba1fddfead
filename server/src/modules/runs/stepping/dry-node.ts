/** A node in a test without effects: what it would have used, and the way a run usually goes on after it. */

import type { GraphNode } from '@chancery/contract/workflows/graph.ts'
import { handlesOf, redactNode } from '#modules/workflow-graph/index.ts'
import type { Done, NodeCall } from '../shared/node-interface.ts'

export const dryNode = (node: GraphNode, { fill }: Pick<NodeCall, 'fill'>): Done => {
  const [handle] = handlesOf(node)
  return {
    kind: 'done',
    output: { not_run: true, would_use: fill(redactNode(node).config) },
    ...(handle && { handle }),
  }
}
