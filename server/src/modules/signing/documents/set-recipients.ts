/** Replaces the recipients of a draft. One that is named by id keeps its fields; one that is left out loses them. */
import type { RecipientInput } from '@chancery/contract/signing/documents.ts'
import { problem } from '#kernel/http/bodies/validation.ts'
import type { SigningContext } from '../context.ts'
import { record } from '../evidence/record.ts'
import { updateDocumentUnscoped } from '../queries/documents.ts'
import {
  deleteRecipientsUnscoped,
  insertRecipientsUnscoped,
  listRecipientsUnscoped,
  notOpened,
  type RecipientRow,
  updateRecipientUnscoped,
} from '../queries/recipients.ts'
import { requireUnchanged } from './versions.ts'
import { authorOf, type Change, withDraft } from './with-document.ts'

export const setRecipients = (
  context: SigningContext,
  change: Change,
  list: readonly RecipientInput[],
): Promise<void> =>
  withDraft(context, change, async (tx, { id: documentId }) => {
    await requireUnchanged(tx, { documentId, part: 'recipients', ifMatch: change.ifMatch })
    const rows = await listRecipientsUnscoped(tx, documentId)
    const present = new Set(rows.map(({ id }) => id))
    requireAddresses(list, rows)
    const kept = list.flatMap(({ id }) => id ?? [])
    requireOwn(kept, present)
    await deleteRecipientsUnscoped(
      tx,
      [...present].filter((id) => !kept.includes(id)),
    )
    const { clock, ids } = context.kernel
    for (const { id, ...input } of list) {
      const columns = columnsOf(input)
      if (id !== undefined) await updateRecipientUnscoped(tx, id, columns)
      else
        await insertRecipientsUnscoped(tx, [
          newRecipient({ id: ids.next(), documentId, createdAt: clock.now(), ...columns }),
        ])
    }
    await updateDocumentUnscoped(tx, documentId, { updatedAt: clock.now() })
    const detail = { recipients: list.map(({ name, email, role, order }) => ({ name, email, role, order })) }
    await record(context, tx, { documentId, entries: [{ type: 'recipients_changed', by: authorOf(change), detail }] })
  })

const requireOwn = (kept: readonly string[], present: ReadonlySet<string>): void => {
  const unknown = kept.findIndex((id) => !present.has(id))
  if (unknown >= 0) throw problem([unknown, 'id'], 'This document has no such recipient.', 'unknown_recipient')
  if (new Set(kept).size < kept.length) throw problem([], 'A recipient is named twice.', 'duplicate')
}

/** Only a role that has no address yet may go on without one. */
const requireAddresses = (list: readonly RecipientInput[], rows: readonly RecipientRow[]): void => {
  const missing = list.findIndex(
    ({ id, email }) => email === '' && !rows.some((row) => row.id === id && row.email === ''),
  )
  if (missing >= 0) throw problem([missing, 'email'], 'Enter an email address.', 'email_missing')
}

const columnsOf = ({ name, email, role, order, message, language }: Omit<RecipientInput, 'id'>) => ({
  name,
  email,
  role,
  orderNumber: order,
  message: message ?? null,
  language: language ?? null,
})

type Chosen = Pick<
  RecipientRow,
  'id' | 'documentId' | 'name' | 'email' | 'role' | 'orderNumber' | 'message' | 'language' | 'createdAt'
>

export const newRecipient = (chosen: Chosen): RecipientRow => ({
  state: 'PENDING',
  mailId: null,
  notifiedAt: null,
  ...notOpened,
  signedAt: null,
  signedBy: null,
  signedIp: null,
  signedAgent: null,
  declineReason: null,
  replacedBy: null,
  ...chosen,
})
