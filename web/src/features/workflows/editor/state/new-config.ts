/** The initial configuration of a new node. Anything only the user can know is left empty. */
import type { GraphNode, NodeType } from '@chancery/contract/workflow-graph.ts'

const daySec = 86_400

const beginnings: Record<NodeType, GraphNode['config']> = {
  agent: { model: '' },
  tool: { tool: '' },
  condition: { expression: '' },
  transform: { fields: {} },
  http_request: { method: 'GET', url: '' },
  emit_event: { event_type: '' },
  wait: { seconds: 60 },
  approval: { title: '', deadline_sec: daySec },
  for_each: { items: '' },
  subworkflow: {},
  signature: { template_id: '', recipients: [], expires_sec: 14 * daySec },
  merge: {},
  loop: { max_iterations: 10 },
  code: { code: 'return input\n' },
}

export const newConfig = (type: NodeType): GraphNode['config'] => structuredClone(beginnings[type])
