/** Whose turn it is: sequential groups by number, everybody in a group at the same time. Pure. */
import type { DocumentState } from '@chancery/contract/signing/signing.ts'
import { type FlowRecipient, isOpen, mustAct } from './states.ts'

/** The lowest number of somebody who still has to act; undefined when everybody has. */
export const currentOrder = (recipients: readonly FlowRecipient[]): number | undefined => {
  const waiting = recipients.filter((recipient) => mustAct(recipient) && isOpen(recipient))
  return waiting.length === 0 ? undefined : Math.min(...waiting.map(({ order }) => order))
}

/**
 * Recipients who are sent a link now: signers and approvers of the current group, and viewers up to it. CC get a copy
 * when the document is finished.
 */
export const dueForNotice = <Recipient extends FlowRecipient>(recipients: readonly Recipient[]): Recipient[] => {
  const current = currentOrder(recipients)
  const last = current ?? Number.POSITIVE_INFINITY
  return recipients.filter(
    (recipient) => recipient.state === 'PENDING' && recipient.role !== 'CC' && recipient.order <= last,
  )
}

export type Refusal =
  | 'not_sent'
  | 'finished'
  | 'not_your_turn'
  | 'already_signed'
  | 'declined'
  | 'expired'
  | 'replaced'
  | 'nothing_to_sign'

/** Why this recipient may not complete now; undefined when they may. */
export const refusalToComplete = (
  document: { state: DocumentState },
  recipient: FlowRecipient,
  recipients: readonly FlowRecipient[],
): Refusal | undefined => {
  const settled = settledReason(recipient)
  if (settled) return settled
  if (document.state === 'DRAFT') return 'not_sent'
  if (document.state === 'EXPIRED') return 'expired'
  if (document.state !== 'SENT') return 'finished'
  if (!mustAct(recipient)) return 'nothing_to_sign'
  return recipient.order === currentOrder(recipients) ? undefined : 'not_your_turn'
}

const settledReason = ({ state }: FlowRecipient): Refusal | undefined => {
  if (state === 'SIGNED') return 'already_signed'
  if (state === 'DECLINED') return 'declined'
  if (state === 'EXPIRED') return 'expired'
  if (state === 'REPLACED') return 'replaced'
  return undefined
}

/** The document's state once these are its recipients' states: it is sealed when nobody has to act any more. */
export const stateAfterAction = (recipients: readonly FlowRecipient[]): 'SENT' | 'SEALING' | 'DECLINED' => {
  if (recipients.some(({ state }) => state === 'DECLINED')) return 'DECLINED'
  return currentOrder(recipients) === undefined ? 'SEALING' : 'SENT'
}
