/** A recipient's actions before the end: open, consent, fill in. Each can be repeated without harm. */

import type { FieldProblem } from '@chancery/contract/errors.ts'
import type { ValuesBody } from '@chancery/contract/signing/recipient.ts'
import type { RecipientState } from '@chancery/contract/signing/signing.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import { announce } from '../announce.ts'
import type { SigningContext } from '../context.ts'
import { methodOf } from '../evidence/authentication.ts'
import { canonicalJson } from '../evidence/chain.ts'
import { record } from '../evidence/record.ts'
import { checkStorable } from '../fields/check-storable.ts'
import { isSigningDay } from '../fields/signing-day.ts'
import { languageOf } from '../mails/send-mails.ts'
import { lockDocumentUnscoped } from '../queries/documents.ts'
import { listFieldsUnscoped, setValueUnscoped } from '../queries/fields.ts'
import { listRecipientsUnscoped, updateRecipientUnscoped } from '../queries/recipients.ts'
import { consentIn } from './consent-text.ts'
import { hasExpired, requireTurn } from './refusals.ts'
import { authorOf, getSigner, requireIn, type Signer, type Visit, withSigner } from './signer.ts'

/** Which way the recipient came. */
const via = ({ userId, isCopied }: Signer) => ({
  via: methodOf({ isAccount: userId !== null, isCopied }),
  ...(userId !== null && { userId }),
})

/** They ask to open it; it is opened once they have fetched it, too. */
export const openDocument = async (context: SigningContext, visit: Visit, timeZone?: string) => {
  const states = await withSigner(context, visit, async (tx, signer) => {
    const { document, recipient } = signer
    const now = context.kernel.clock.now()
    if (!isOpenable(signer) || hasExpired(document, now))
      return { recipientState: recipient.state, documentState: document.state }
    const openAskedAt = recipient.openAskedAt ?? now
    const asked = await updateRecipientUnscoped(tx, recipient.id, { openAskedAt, ...(timeZone && { timeZone }) })
    const recipientState = await noteOpened(context, tx, { signer: { ...signer, recipient: asked }, visit })
    return { recipientState, documentState: document.state }
  })
  context.bus.wake()
  return states
}

/** They fetch a file of it. Reading alone is no opening: a program that follows links does it, too. */
export const noteFetched = async (context: SigningContext, visit: Visit, { recipient, isCopied }: Signer) => {
  // By another kind of link than they act with; what they do next with it notes that.
  if (recipient.fetchedAt !== null || recipient.byCopiedLink !== isCopied) return
  const { db, clock } = context.kernel
  await context.pages.change(recipient.documentId, () =>
    db.transaction().execute(async (tx) => {
      await lockDocumentUnscoped(tx, recipient.documentId)
      const signer = requireIn(await getSigner(context, visit, tx))
      if (!isOpenable(signer)) return
      const fetchedAt = signer.recipient.fetchedAt ?? clock.now()
      const fetched = await updateRecipientUnscoped(tx, recipient.id, { fetchedAt })
      await noteOpened(context, tx, { signer: { ...signer, recipient: fetched }, visit })
    }),
  )
  context.bus.wake()
}

const isOpenable = ({ document, recipient }: Signer): boolean =>
  recipient.state === 'NOTIFIED' && document.state === 'SENT'

const noteOpened = async (
  context: SigningContext,
  tx: Db,
  { signer, visit }: { signer: Signer; visit: Visit },
): Promise<RecipientState> => {
  const { document, recipient } = signer
  if (recipient.openAskedAt === null || recipient.fetchedAt === null) return recipient.state
  await updateRecipientUnscoped(tx, recipient.id, { state: 'OPENED', openedAt: context.kernel.clock.now() })
  await record(context, tx, {
    documentId: document.id,
    entries: [{ type: 'opened', by: authorOf(signer, visit), detail: { recipientId: recipient.id, ...via(signer) } }],
  })
  await announce(context, tx, { type: 'document_opened', document, recipient })
  return 'OPENED'
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
      else if (value !== null && isSigningDay(field))
        refuse('The day of signing is filled in when you sign.', 'signing_day')
      else {
        const checked = value === null ? { value } : await checkStorable(context.pdfWork, field, value)
        if ('problem' in checked) refuse(checked.problem, 'invalid_value')
        // A value that comes back as it was stays the sender's.
        else if (canonicalJson(checked.value) !== canonicalJson(field.value))
          await setValueUnscoped(tx, fieldId, { value: checked.value, filledBy: 'SIGNER' })
      }
    }
    if (problems.length > 0) throw new AppError('validation_failed', { problems })
    const detail = { recipientId: recipient.id, fieldIds: values.map(({ fieldId }) => fieldId) }
    await record(context, tx, {
      documentId: document.id,
      entries: [{ type: 'fields_filled', by: authorOf(signer, visit), detail }],
    })
  })
