/** Sorts requests; a person approves the urgent ones first. */
import type { WorkflowTemplate } from '@chancery/contract/workflows/workflows.ts'
import { edge, node } from './draw.ts'

export const triage: WorkflowTemplate = {
  id: 'triage',
  name: 'Triage with approval',
  description:
    'An agent sorts what comes in. What it finds urgent waits for a person; what they approve is escalated, the rest is filed.',
  to_fill: [{ node_id: 'sort', field: 'config.model' }],
  graph: {
    nodes: [
      node({
        id: 'sort',
        name: 'Sort',
        type: 'agent',
        at: [0, 1],
        config: {
          model: '',
          system_prompt:
            'You are given a request as JSON. Judge how urgent it is: urgent only where somebody loses money, data or access today. Give the reason in one sentence.',
          output_schema: {
            type: 'object',
            properties: { urgency: { type: 'string', enum: ['urgent', 'normal'] }, reason: { type: 'string' } },
            required: ['urgency', 'reason'],
            additionalProperties: false,
          },
        },
      }),
      node({
        id: 'urgent',
        name: 'Urgent?',
        type: 'condition',
        at: [1, 1],
        config: { expression: 'state["sort"]["urgency"] == "urgent"' },
      }),
      node({
        id: 'ask',
        name: 'Ask a person',
        type: 'approval',
        at: [2, 0],
        config: { title: 'Escalate this request?', message: '{{ sort.reason }}', deadline_sec: 86_400 },
      }),
      node({
        id: 'escalate',
        name: 'Escalate',
        type: 'emit_event',
        at: [3, 0],
        config: {
          event_type: 'request_escalated',
          payload: { request: '{{ payload }}', reason: '{{ sort.reason }}' },
        },
      }),
      node({
        id: 'file',
        name: 'File',
        type: 'emit_event',
        at: [3, 2],
        config: {
          event_type: 'request_filed',
          payload: { request: '{{ payload }}', reason: '{{ sort.reason }}' },
        },
      }),
    ],
    edges: [
      edge(['sort', 'urgent']),
      edge(['urgent', 'ask', 'true']),
      edge(['urgent', 'file', 'false']),
      edge(['ask', 'escalate', 'approved']),
      edge(['ask', 'file', 'rejected']),
      edge(['ask', 'file', 'expired']),
    ],
    settings: { deadline_sec: 172_800 },
  },
}
