/** A recipient's actions before the end: consent and fill in. Each can be repeated without harm. */

import type { FieldProblem } from '@chancery/contract/errors.ts'
import type { ValuesBody } from '@chancery/contract/signing/recipient.ts'
import type { FieldValue } from '@chancery/contract/signing/signing.ts'
import { AppError } from '#kernel/errors.ts'
import type { SigningContext } from '../context.ts'
import { canonicalJson } from '../evidence/chain.ts'
import { loggedChanges, type ValueChange } from '../evidence/logged-values.ts'
import { record } from '../evidence/record.ts'
import { checkStorable } from '../fields/check-storable.ts'
import { boxOf } from '../fields/field-box.ts'
import { isSigningDay } from '../fields/signing-day.ts'
import { languageOf } from '../mails/send-mails.ts'
import { type FieldRow, listFieldsUnscoped, setValueUnscoped } from '../queries/fields.ts'
import { listFilesUnscoped } from '../queries/files.ts'
import { listRecipientsUnscoped, updateRecipientUnscoped } from '../queries/recipients.ts'
import { consentIn } from './consent-text.ts'
import { via } from './open.ts'
import { requireTurn } from './refusals.ts'
import { authorOf, type Visit, withSigner } from './signer.ts'

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
    const own = (await listFieldsUnscoped(tx, document.id)).filter((field) => field.recipientId === recipient.id)
    const fields = new Map(own.map((field) => [field.id, field]))
    const files = await listFilesUnscoped(tx, document.id)
    const problems: FieldProblem[] = []
    for (const [index, { fieldId, value }] of values.entries()) {
      const field = fields.get(fieldId)
      const refuse = (msg: string, type: string) => problems.push({ loc: ['body', index, 'value'], msg, type })
      if (!field) refuse('You have no such field.', 'unknown_field')
      else if (field.readOnly) refuse("This field can't be changed.", 'read_only')
      else if (value !== null && isSigningDay(field))
        refuse('The day of signing is filled in when you sign.', 'signing_day')
      else {
        const placed = { ...field, box: boxOf(files, field) }
        const checked = value === null ? { value } : await checkStorable(context.pdfWork, placed, value)
        if ('problem' in checked) refuse(checked.problem, checked.type ?? 'invalid_value')
        // A value that comes back as it was stays the sender's.
        else if (!isSame(checked.value, field.value)) {
          await setValueUnscoped(tx, fieldId, { value: checked.value, filledBy: 'SIGNER' })
          fields.set(fieldId, { ...field, value: checked.value })
        }
      }
    }
    if (problems.length > 0) throw new AppError('validation_failed', { problems })
    const changed = loggedChanges(changesIn(own, fields), { entries: document.auditCount })
    if (!changed) return
    const detail = { recipientId: recipient.id, ...changed }
    await record(context, tx, {
      documentId: document.id,
      entries: [{ type: 'fields_filled', by: authorOf(signer, visit), detail }],
    })
  })

const isSame = (one: FieldValue | null, other: FieldValue | null): boolean =>
  canonicalJson(one) === canonicalJson(other)

const changesIn = (before: readonly FieldRow[], after: ReadonlyMap<string, FieldRow>): ValueChange[] =>
  before.flatMap(({ id: fieldId, value }) => {
    const now = after.get(fieldId)?.value ?? null
    return isSame(value, now) ? [] : [{ fieldId, before: value, after: now }]
  })
