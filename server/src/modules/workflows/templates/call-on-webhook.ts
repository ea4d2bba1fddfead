/** Reshapes what a webhook delivers and calls another service. */
import type { WorkflowTemplate } from '@chancery/contract/workflows/workflows.ts'
import { edge, node } from './draw.ts'

export const callOnWebhook: WorkflowTemplate = {
  id: 'call-on-webhook',
  name: 'Webhook to HTTP call',
  description:
    'Takes what a webhook delivers, keeps the fields that matter and calls another service. If the call fails permanently, an event is published.',
  to_fill: [],
  graph: {
    nodes: [
      node({
        id: 'shape',
        name: 'Shape',
        type: 'transform',
        at: [0, 0],
        config: {
          fields: {
            id: 'payload.get("id")',
            kind: 'payload.get("type", "unknown")',
            received_at: 'event["published_at"]',
          },
        },
      }),
      node({
        id: 'call',
        name: 'Call',
        type: 'http_request',
        at: [1, 0],
        config: {
          method: 'POST',
          url: 'https://service.example.com/items',
          body: '{{ shape }}',
          timeout_sec: 30,
          retry: { max_attempts: 8, initial_delay_ms: 2000, max_delay_ms: 600_000 },
          on_error: 'continue',
        },
      }),
      node({
        id: 'failed',
        name: 'Report the failure',
        type: 'emit_event',
        at: [2, 1],
        config: { event_type: 'call_failed', payload: { item: '{{ shape }}' } },
      }),
    ],
    edges: [edge(['shape', 'call']), edge(['call', 'failed', 'error'])],
    settings: { deadline_sec: 86_400 },
  },
}
