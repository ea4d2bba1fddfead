/** The initial configuration of a new node. Anything only the user can know is left empty, deadlines too. */
import type { GraphNode, NodeType } from '@chancery/contract/workflow-graph.ts'

const beginnings: Record<NodeType, GraphNode['config']> = {
  agent: { model: '' },
  tool: { tool: '' },
  condition: { expression: '' },
  transform: { fields: {} },
  http_request: { method: 'GET', url: '' },
  emit_event: { event_type: '' },
  wait: { seconds: 60 },
  approval: { title: '' },
  for_each: { items: '' },
  subworkflow: {},
  signature: { template_id: '', recipients: [] },
  merge: {},
  loop: { max_iterations: 10 },
  code: { code: 'return input\n' },
}

export const newConfig = (type: NodeType): GraphNode['config'] => structuredClone(beginnings[type])
