/** Summarizes an event and sends the summary to another system. */
import type { WorkflowTemplate } from '@chancery/contract/workflows/workflows.ts'
import { edge, node } from './draw.ts'

export const summariseAndNotify: WorkflowTemplate = {
  id: 'summarise-and-notify',
  name: 'Summarize an event and notify',
  description:
    'An agent reads an event and says in three sentences what happened. The summary goes to a chat room or any webhook.',
  to_fill: [{ node_id: 'summarize', field: 'config.model' }],
  graph: {
    nodes: [
      node({
        id: 'summarize',
        name: 'Summarize',
        type: 'agent',
        at: [0, 0],
        config: {
          model: '',
          system_prompt:
            'You are given an event as JSON. Say in at most three plain sentences what happened, to whom, and what somebody should do about it, if anything. Names and numbers stay exactly as they are.',
          max_iterations: 1,
        },
      }),
      node({
        id: 'notify',
        name: 'Notify',
        type: 'http_request',
        at: [1, 0],
        config: {
          method: 'POST',
          url: 'https://chat.example.com/hooks/your-room',
          body: { text: '{{ summarize }}' },
          retry: { max_attempts: 5, initial_delay_ms: 1000 },
        },
      }),
    ],
    edges: [edge(['summarize', 'notify'])],
    settings: { deadline_sec: 3600 },
  },
}
