/** Why a recipient may not act now, as an error that the page can explain. */
import type { ErrorCode } from '@chancery/contract/errors.ts'
import { AppError } from '#kernel/errors.ts'
import { asFlow } from '../flow/as-flow.ts'
import { isOpen } from '../flow/states.ts'
import { type Refusal, refusalToComplete } from '../flow/turns.ts'
import type { DocumentRow } from '../queries/documents.ts'
import type { RecipientRow } from '../queries/recipients.ts'

type Turn = Pick<RecipientRow, 'id' | 'role' | 'orderNumber' | 'state'>

const codes: Record<Refusal, ErrorCode> = {
  not_sent: 'document_not_sent',
  finished: 'document_finished',
  not_your_turn: 'not_your_turn',
  already_signed: 'already_signed',
  declined: 'document_finished',
  expired: 'document_expired',
  replaced: 'link_not_found',
  nothing_to_sign: 'nothing_to_sign',
}

interface Situation {
  document: Pick<DocumentRow, 'state' | 'signingOrder' | 'expiresAt'>
  recipient: Pick<RecipientRow, 'id'>
  recipients: readonly Turn[]
  now: Date
}

/** An expiry that has passed counts at once, not only when the job has noticed it. */
export const hasExpired = ({ expiresAt }: Pick<DocumentRow, 'expiresAt'>, now: Date): boolean =>
  expiresAt !== null && expiresAt <= now

export const refusalOf = ({ document, recipient, recipients, now }: Situation): ErrorCode | undefined => {
  const flow = asFlow(document, recipients)
  const own = flow.find(({ id }) => id === recipient.id)
  if (!own) return 'link_not_found'
  // Checked before the turn: viewers and those who aren't due yet get the same reason as everybody else.
  if (document.state === 'SENT' && isOpen(own) && hasExpired(document, now)) return 'document_expired'
  const refusal = refusalToComplete(document, own, flow)
  return refusal && codes[refusal]
}

export const requireTurn = (situation: Situation): void => {
  const refusal = refusalOf(situation)
  if (refusal) throw new AppError(refusal)
}
