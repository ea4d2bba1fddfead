/** Pure. Recipients as the order of turns sees them: in a parallel document everybody has the same number. */
import type { RecipientRole, RecipientState } from '@chancery/contract/signing/signing.ts'
import type { FlowRecipient } from './states.ts'

interface Row {
  id: string
  role: RecipientRole
  orderNumber: number
  state: RecipientState
}

export const asFlow = <R extends Row>(
  { signingOrder }: { signingOrder: 'PARALLEL' | 'SEQUENTIAL' },
  recipients: readonly R[],
): (R & FlowRecipient)[] =>
  recipients.map((recipient) => ({ ...recipient, order: signingOrder === 'PARALLEL' ? 1 : recipient.orderNumber }))
