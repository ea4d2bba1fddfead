/** Leaving without signing: a recipient declines, which closes the document, or names somebody else. */
import { AppError } from '#kernel/errors.ts'
import { announce } from '../announce.ts'
import type { SigningContext } from '../context.ts'
import { handOver } from '../documents/change-recipient.ts'
import { record } from '../evidence/record.ts'
import { mailOwner } from '../mails/send-mails.ts'
import { updateDocumentUnscoped } from '../queries/documents.ts'
import { listRecipientsUnscoped, updateRecipientUnscoped } from '../queries/recipients.ts'
import { requireTurn } from './refusals.ts'
import { authorOf, type Visit, withSigner } from './signer.ts'

export const decline = async (context: SigningContext, visit: Visit, reason: string) => {
  const states = await withSigner(context, visit, async (tx, signer) => {
    const { document, recipient } = signer
    const done = { recipientState: 'DECLINED', documentState: 'DECLINED' } as const
    if (recipient.state === 'DECLINED') return done
    const now = context.kernel.clock.now()
    requireTurn({ document, recipient, recipients: await listRecipientsUnscoped(tx, document.id), now })
    await updateRecipientUnscoped(tx, recipient.id, { state: 'DECLINED', declineReason: reason })
    await updateDocumentUnscoped(tx, document.id, {
      state: 'DECLINED',
      endedAt: now,
      updatedAt: now,
      nextReminderAt: null,
    })
    await record(context, tx, {
      documentId: document.id,
      entries: [{ type: 'declined', by: authorOf(signer, visit), detail: { recipientId: recipient.id, reason } }],
    })
    await announce(context, tx, { type: 'document_declined', document, recipient, more: { reason } })
    await mailOwner(context, tx, document, { type: 'declined', name: recipient.name, reason })
    return done
  })
  context.bus.wake()
  return states
}

/** The link that was used ends with it; the other person gets their own. */
export const delegate = (context: SigningContext, visit: Visit, person: { name: string; email: string }) =>
  withSigner(context, visit, async (tx, signer) => {
    const { document, recipient } = signer
    if (!document.allowDelegation) throw new AppError('delegation_not_allowed')
    const now = context.kernel.clock.now()
    requireTurn({ document, recipient, recipients: await listRecipientsUnscoped(tx, document.id), now })
    await handOver(context, tx, { document, recipient, person, type: 'delegated', by: authorOf(signer, visit) })
    return { recipientState: 'REPLACED' as const, documentState: document.state }
  })
