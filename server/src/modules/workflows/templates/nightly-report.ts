/** Fetches figures, has an agent summarize them and publishes the report on a schedule. */
import type { WorkflowTemplate } from '@chancery/contract/workflows/workflows.ts'
import { edge, node } from './draw.ts'

export const nightlyReport: WorkflowTemplate = {
  id: 'nightly-report',
  name: 'Nightly report',
  description:
    'Fetches figures, has an agent write a short report on them and publishes it. Publish, then add a cron trigger such as 0 6 * * 1-5.',
  to_fill: [{ node_id: 'write', field: 'config.model' }],
  graph: {
    nodes: [
      node({
        id: 'fetch',
        name: 'Fetch figures',
        type: 'http_request',
        at: [0, 0],
        config: {
          method: 'GET',
          url: 'https://figures.example.com/yesterday',
          timeout_sec: 60,
          retry: { max_attempts: 5, initial_delay_ms: 5000 },
        },
      }),
      node({
        id: 'write',
        name: 'Write the report',
        type: 'agent',
        at: [1, 0],
        config: {
          model: '',
          system_prompt: 'You write for people who have one minute. Begin with what changed most. Invent nothing.',
          prompt: 'Write a report of at most 200 words on these figures of yesterday:\n\n{{ fetch.body }}',
        },
      }),
      node({
        id: 'publish',
        name: 'Publish',
        type: 'emit_event',
        at: [2, 0],
        config: { event_type: 'report_ready', payload: { report: '{{ write }}' } },
      }),
    ],
    edges: [edge(['fetch', 'write']), edge(['write', 'publish'])],
    settings: { deadline_sec: 7200 },
  },
}
