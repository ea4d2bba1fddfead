/** An order becomes a contract; once it is signed, it is archived, and others hear of it. */
import type { WorkflowTemplate } from '@chancery/contract/workflows/workflows.ts'
import { edge, node } from './draw.ts'

const order = '{{ payload.order }}'

export const signedContract: WorkflowTemplate = {
  id: 'signed-contract',
  name: 'Contract from an order, signed, archived',
  description:
    'Sends a signing template to the customer of an order, waits for the signature, files the sealed contract and publishes an event. Publish, then add a trigger for order_placed.',
  to_fill: [{ node_id: 'sign', field: 'config.template_id' }],
  graph: {
    nodes: [
      node({
        id: 'sign',
        name: 'Have it signed',
        type: 'signature',
        at: [0, 1],
        config: {
          template_id: '',
          title: `Contract for order ${order}`,
          recipients: [
            {
              role: 'Customer',
              name: '{{ payload.customer.name }}',
              email: '{{ payload.customer.email }}',
            },
          ],
          folder: 'Contracts',
          expires_sec: 1_209_600,
        },
      }),
      node({
        id: 'archive',
        name: 'Archive',
        type: 'emit_event',
        at: [1, 0],
        config: {
          event_type: 'contract_archived',
          payload: {
            order,
            document_id: '{{ sign.document_id }}',
            sealed_file: '{{ sign.sealed_file }}',
            values: '{{ sign.values }}',
          },
        },
      }),
      node({
        id: 'follow_up',
        name: 'Follow up',
        type: 'emit_event',
        at: [1, 2],
        config: {
          event_type: 'contract_not_signed',
          payload: { order, document_id: '{{ sign.document_id }}', state: '{{ sign.state }}' },
        },
      }),
    ],
    edges: [
      edge(['sign', 'archive', 'completed']),
      edge(['sign', 'follow_up', 'declined']),
      edge(['sign', 'follow_up', 'expired']),
      edge(['sign', 'follow_up', 'cancelled']),
    ],
    settings: {},
  },
}
