/** Asks people for approval. */
import type { NodeKind } from './kind.ts'

export const approval: NodeKind<'approval'> = {
  texts: ['title', 'message'],
  isOutward: true,
  isCall: false,
  refersTo: { kind: 'person', field: 'approvers' },
  waitField: () => 'deadline_sec',
  handleOf: (output) => (output?.approved === false ? 'rejected' : 'approved'),
}
