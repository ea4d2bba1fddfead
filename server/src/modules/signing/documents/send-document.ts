/** Sends a draft: names every problem at once, counts it against the plan once, and mails those whose turn it is. */

import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import { announce } from '../announce.ts'
import type { SigningContext } from '../context.ts'
import { loggedValues } from '../evidence/logged-values.ts'
import { type Author, record } from '../evidence/record.ts'
import { findProblems } from '../flow/readiness.ts'
import { reminderAfter } from '../flow/reminder-rules.ts'
import { countMails } from '../mail-limits/count-mails.ts'
import { notifyDue, refusalsOf } from '../notify.ts'
import { type DocumentRow, updateDocumentUnscoped } from '../queries/documents.ts'
import { type FieldRow, listFieldsUnscoped } from '../queries/fields.ts'
import { listFilesUnscoped } from '../queries/files.ts'
import { listRecipientsUnscoped } from '../queries/recipients.ts'
import { prepareEarlierFiles } from './prepare-earlier.ts'
import { requireDocumentQuota } from './quota.ts'
import { takeSeal } from './take-seal.ts'
import { authorOf, type Change, withDraft } from './with-document.ts'

export const sendDocument = async (context: SigningContext, change: Change): Promise<void> => {
  await prepareEarlierFiles(context, change)
  await withDraft(context, change, (tx, document) => sendDraft(context, tx, { document, by: authorOf(change) }))
  context.bus.wake()
}

/** Fields that the sender filled in: the document shows them, so the log says whose they are. */
const prefilledOf = (fields: readonly FieldRow[]) => {
  const prefilled = fields.filter(({ filledBy }) => filledBy === 'SENDER')
  const values = loggedValues(prefilled.map(({ value }) => value))
  return prefilled.length === 0
    ? {}
    : {
        prefilled: prefilled.map(({ id: fieldId, recipientId, type, label, readOnly: isLocked }, index) => {
          return { fieldId, recipientId, type, label, isLocked, value: values[index] ?? null }
        }),
      }
}

/** In the caller's transaction, which holds the document's lock. `isCounted`: its mails were, together with others. */
export const sendDraft = async (
  context: SigningContext,
  tx: Db,
  { document, by, isCounted = false }: { document: DocumentRow; by: Author; isCounted?: boolean },
): Promise<void> => {
  const now = context.kernel.clock.now()
  const files = await listFilesUnscoped(tx, document.id)
  const recipients = await listRecipientsUnscoped(tx, document.id)
  const fields = await listFieldsUnscoped(tx, document.id)
  const problems = findProblems(
    {
      files,
      recipients,
      fields,
      expiresAt: document.expiresAt,
      title: document.title,
      undrawable: context.pdfWork.undrawable,
      refusals: await refusalsOf(tx, document, recipients),
    },
    now,
  )
  if (problems.length > 0) throw new AppError('document_not_ready', { problems })
  const addresses = recipients.map(({ email }) => email)
  if (!isCounted) await countMails(context, tx, { sender: document, addresses })
  await requireDocumentQuota(context, tx, document)
  await takeSeal(context, tx, document)
  const sent = await updateDocumentUnscoped(tx, document.id, {
    state: 'SENT',
    sentAt: now,
    updatedAt: now,
    nextReminderAt: reminderAfter(now, document.reminderDays),
  })
  const detail = {
    title: sent.title,
    files: files.map(({ name, sha256, uploadSha256 }) => ({ name, sha256, uploadSha256 })),
    recipients: recipients.map(({ name, email, role, orderNumber }) => ({ name, email, role, order: orderNumber })),
    signingOrder: sent.signingOrder,
    emailOtp: sent.emailOtp,
    ...prefilledOf(fields),
  }
  await record(context, tx, {
    documentId: document.id,
    entries: [{ type: 'sent', by, detail }],
  })
  await announce(context, tx, { type: 'document_sent', document: sent })
  await notifyDue(context, tx, sent)
}
