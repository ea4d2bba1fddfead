/** What a recipient does before the end: open, consent, fill in. Each can be repeated without harm. */

import type { FieldProblem } from '@chancery/contract/errors.ts'
import type { ValuesBody } from '@chancery/contract/signing-recipient.ts'
import { AppError } from '#kernel/errors.ts'
import { announce } from '../announce.ts'
import type { SigningContext } from '../context.ts'
import { methodOf } from '../evidence/authentication.ts'
import { record } from '../evidence/record.ts'
import { checkStorable } from '../fields/check-storable.ts'
import { languageOf } from '../mails/send-mails.ts'
import { listFieldsUnscoped, setValueUnscoped } from '../queries/fields.ts'
import { listRecipientsUnscoped, updateRecipientUnscoped } from '../queries/recipients.ts'
import { consentIn } from './consent-text.ts'
import { hasExpired, requireTurn } from './refusals.ts'
import { authorOf, type Signer, type Visit, withSigner } from './signer.ts'

/** Which way the recipient came. */
const via = ({ userId, isCopied }: Signer) => ({
  via: methodOf({ isAccount: userId !== null, isCopied }),
  ...(userId !== null && { userId }),
})

export const openDocument = async (context: SigningContext, visit: Visit) => {
  const states = await withSigner(context, visit, async (tx, signer) => {
    const { document, recipient } = signer
    const isOpenable = recipient.state === 'NOTIFIED' && document.state === 'SENT'
    if (!isOpenable || hasExpired(document, context.kernel.clock.now()))
      return { recipientState: recipient.state, documentState: document.state }
    await updateRecipientUnscoped(tx, recipient.id, { state: 'OPENED', openedAt: context.kernel.clock.now() })
    await record(context, tx, {
      documentId: document.id,
      entries: [{ type: 'opened', by: authorOf(signer, visit), detail: { recipientId: recipient.id, ...via(signer) } }],
    })
    await announce(context, tx, { type: 'document_opened', document, recipient })
    return { recipientState: 'OPENED' as const, documentState: document.state }
  })
  context.bus.wake()
  return states
}

/** The first consent counts; the text is recorded by version and hash. */
export const giveConsent = (context: SigningContext, visit: Visit): Promise<void> =>
  withSigner(context, visit, async (tx, signer) => {
    const { document, recipient } = signer
    const now = context.kernel.clock.now()
    requireTurn({ document, recipient, recipients: await listRecipientsUnscoped(tx, document.id), now })
    if (recipient.consentedAt !== null) return
    const { version, hash } = consentIn(languageOf(document, recipient))
    await updateRecipientUnscoped(tx, recipient.id, {
      consentedAt: now,
      consentVersion: version,
      consentHash: hash,
    })
    const detail = { recipientId: recipient.id, version, textSha256: hash, ...via(signer) }
    await record(context, tx, {
      documentId: document.id,
      entries: [{ type: 'consented', by: authorOf(signer, visit), detail }],
    })
  })

/** All values are stored or none. Null empties a field. */
export const fillFields = (context: SigningContext, visit: Visit, values: ValuesBody): Promise<void> =>
  withSigner(context, visit, async (tx, signer) => {
    const { document, recipient } = signer
    const now = context.kernel.clock.now()
    requireTurn({ document, recipient, recipients: await listRecipientsUnscoped(tx, document.id), now })
    const fields = new Map(
      (await listFieldsUnscoped(tx, document.id))
        .filter((field) => field.recipientId === recipient.id)
        .map((field) => [field.id, field]),
    )
    const problems: FieldProblem[] = []
    for (const [index, { fieldId, value }] of values.entries()) {
      const field = fields.get(fieldId)
      const refuse = (msg: string, type: string) => problems.push({ loc: ['body', index, 'value'], msg, type })
      if (!field) refuse('You have no such field.', 'unknown_field')
      else if (field.readOnly) refuse("This field can't be changed.", 'read_only')
      else if (value === null) await setValueUnscoped(tx, fieldId, null)
      else {
        const checked = await checkStorable(context.pdfWork, field, value)
        if ('problem' in checked) refuse(checked.problem, 'invalid_value')
        else await setValueUnscoped(tx, fieldId, checked.value)
      }
    }
    if (problems.length > 0) throw new AppError('validation_failed', { problems })
    const detail = { recipientId: recipient.id, fieldIds: values.map(({ fieldId }) => fieldId) }
    await record(context, tx, {
      documentId: document.id,
      entries: [{ type: 'fields_filled', by: authorOf(signer, visit), detail }],
    })
  })
