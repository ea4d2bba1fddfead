/** Runs another workflow for each item of a list and collects the results. */
import type { WorkflowTemplate } from '@chancery/contract/workflows/workflows.ts'
import { edge, node } from './draw.ts'

export const fanOut: WorkflowTemplate = {
  id: 'fan-out',
  name: 'Fan-out over items',
  description: 'Runs another workflow once for each item of a list, five at a time, and publishes the results.',
  to_fill: [{ node_id: 'each', field: 'config.workflow_id' }],
  graph: {
    nodes: [
      node({
        id: 'list',
        name: 'List the items',
        type: 'transform',
        at: [0, 0],
        config: { fields: { items: 'payload.get("items", []) if event else input.get("items", [])' } },
      }),
      node({
        id: 'each',
        name: 'Each item',
        type: 'for_each',
        at: [1, 0],
        config: { items: 'state["list"]["items"]', parallel: 5, max_items: 1000 },
      }),
      node({
        id: 'gather',
        name: 'Publish the results',
        type: 'emit_event',
        at: [2, 0],
        config: { event_type: 'items_done', payload: { results: '{{ each }}' } },
      }),
    ],
    edges: [edge(['list', 'each']), edge(['each', 'gather'])],
    settings: { deadline_sec: 86_400 },
  },
}
