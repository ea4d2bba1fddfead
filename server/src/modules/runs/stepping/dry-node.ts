/** A node in a test without effects: what it would have used, and the way a run usually goes on after it. */

import type { GraphNode, NodeType } from '@chancery/contract/workflow-graph.ts'
import { handlesOf, redactNode } from '#modules/workflow-graph/index.ts'
import type { Done, NodeCall } from '../shared/node-interface.ts'

/** Types that reach other systems or people. */
const outward: ReadonlySet<NodeType> = new Set([
  'http_request',
  'tool',
  'emit_event',
  'for_each',
  'subworkflow',
  'loop',
  'approval',
  'signature',
])

export const isOutward = ({ type }: GraphNode): boolean => outward.has(type)

export const dryNode = (node: GraphNode, { fill }: Pick<NodeCall, 'fill'>): Done => {
  const [handle] = handlesOf(node)
  return {
    kind: 'done',
    output: { not_run: true, would_use: fill(redactNode(node).config) },
    ...(handle && { handle }),
  }
}
