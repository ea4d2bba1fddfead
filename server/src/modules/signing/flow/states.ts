/** The states of documents and recipients, as gaps.md names them. Pure. */

export const recipientRoles = ['SIGNER', 'APPROVER', 'VIEWER', 'CC'] as const
export type RecipientRole = (typeof recipientRoles)[number]

export const recipientStates = ['PENDING', 'NOTIFIED', 'OPENED', 'SIGNED', 'DECLINED', 'EXPIRED', 'REPLACED'] as const
export type RecipientState = (typeof recipientStates)[number]

export const documentStates = [
  'DRAFT',
  'SENT',
  'SEALING',
  'COMPLETED',
  'DECLINED',
  'CANCELLED',
  'EXPIRED',
  'SEAL_FAILED',
] as const
export type DocumentState = (typeof documentStates)[number]

/** What decides whose turn it is. Recipients with the same number act in parallel. */
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
