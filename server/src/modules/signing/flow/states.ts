/** Whose turn it is depends on roles and states alone. Pure. */
import type { RecipientRole, RecipientState } from '@chancery/contract/signing/signing.ts'

/** The facts that decide whose turn it is. Recipients with the same number act in parallel. */
export interface FlowRecipient {
  id: string
  role: RecipientRole
  order: number
  state: RecipientState
}

/** Signers and approvers hold the document up until they have acted; viewers and CC never do. */
export const mustAct = ({ role }: Pick<FlowRecipient, 'role'>): boolean => role === 'SIGNER' || role === 'APPROVER'

/** Still waiting to act, or to be asked to. */
export const isOpen = ({ state }: Pick<FlowRecipient, 'state'>): boolean =>
  state === 'PENDING' || state === 'NOTIFIED' || state === 'OPENED'
