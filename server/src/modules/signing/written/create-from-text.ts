/**
 * Makes a draft from text: pages, fields where its tags were, and a recipient without an address for each role. The pages
 * are made before the transaction, which then adds all of it or nothing.
 */
import type { TextSource } from '@chancery/contract/signing/written.ts'
import type { Db } from '#kernel/db/database.ts'
import { claimRequestKeyUnscoped, findRequestKeyUnscoped } from '#kernel/db/request-keys.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import type { TaggedField } from '#modules/pdf/index.ts'
import type { SigningContext, Source } from '../context.ts'
import { insertWithFiles } from '../documents/create-document.ts'
import { newRecipient } from '../documents/set-recipients.ts'
import { authorOf } from '../documents/with-document.ts'
import { record } from '../evidence/record.ts'
import { updateDocumentUnscoped } from '../queries/documents.ts'
import { replaceFieldsUnscoped } from '../queries/fields.ts'
import { listFilesUnscoped } from '../queries/files.ts'
import { insertRecipientsUnscoped } from '../queries/recipients.ts'
import { sameRole, type WrittenPages, withWrittenPages } from './write-pages.ts'

/** Somebody for a role of the text. */
export interface Person {
  role: string
  name: string
  email: string
  language?: 'en' | 'de' | 'fr' | 'es' | 'pt' | 'zh' | 'ja' | 'ar' | undefined
}

interface Request {
  title: string
  source: TextSource
  from: Source
  /** `Idempotency-Key`: for a day it makes one document. */
  key?: string | undefined
  people?: readonly Person[]
}

export const createFromText = async (
  context: SigningContext,
  actor: Actor,
  { title, source, from, key, people = [] }: Request,
): Promise<string> => {
  const { kernel } = context
  // The same purpose as an upload's: one key makes one document, whichever way it comes.
  const request = { userId: actor.id, purpose: 'document', key }
  const known = await findRequestKeyUnscoped(kernel, kernel.db, request)
  if (known !== undefined) return known
  return withWrittenPages(context, { source, title, tenant: scopeOf(actor) }, (pages) =>
    kernel.db.transaction().execute(async (tx) => {
      const id = kernel.ids.next()
      const first = await claimRequestKeyUnscoped(kernel, tx, { ...request, resultId: id })
      if (first === id) await insertFromText(context, tx, { id, actor, from, title, pages, people })
      return first
    }),
  )
}

interface WrittenDraft {
  id: string
  actor: Actor
  from: Source
  title: string
  pages: WrittenPages
  people: readonly Person[]
}

export const insertFromText = async (context: SigningContext, tx: Db, draft: WrittenDraft): Promise<void> => {
  const { id, actor, from, title, pages, people } = draft
  const { kernel } = context
  await insertWithFiles(context, tx, { id, actor, from, title, files: [pages.file], detail: pages.detail })
  const recipients = pages.roles.map((role) => {
    const { name = role, email = '', language = null } = people.find((one) => sameRole(one.role, role)) ?? {}
    const created = { id: kernel.ids.next(), documentId: id, createdAt: kernel.clock.now() }
    return { role, row: newRecipient({ ...created, ...signs, name, email, language }) }
  })
  await insertRecipientsUnscoped(
    tx,
    recipients.map(({ row }) => row),
  )
  const [file] = await listFilesUnscoped(tx, id)
  const fields = pages.fields.map((field, position) => {
    const recipient = recipients.find(({ role }) => sameRole(role, field.role))
    return rowOf(field, {
      id: kernel.ids.next(),
      documentId: id,
      fileId: file?.id ?? '',
      recipientId: recipient?.row.id ?? '',
      position,
    })
  })
  await replaceFieldsUnscoped(tx, id, fields)
  await updateDocumentUnscoped(tx, id, { updatedAt: kernel.clock.now() })
  const by = authorOf({ actor, from })
  const named = recipients.map(({ row: { name, email, role, orderNumber } }) => ({
    name,
    email,
    role,
    order: orderNumber,
  }))
  await record(context, tx, {
    documentId: id,
    entries: [
      ...(named.length > 0 ? [{ type: 'recipients_changed' as const, by, detail: { recipients: named } }] : []),
      ...(fields.length > 0 ? [{ type: 'fields_changed' as const, by, detail: { count: fields.length } }] : []),
    ],
  })
}

const signs = { role: 'SIGNER', orderNumber: 1, message: null } as const

interface FieldIds {
  id: string
  documentId: string
  fileId: string
  recipientId: string
  position: number
}

/** A box need not be ticked; everything else is required. */
const rowOf = ({ type, label, page, x, y, width, height }: TaggedField, ids: FieldIds) => ({
  ...ids,
  ...{ type, label, page, x, y, width, height },
  required: type !== 'CHECKBOX',
  readOnly: false,
  rules: {},
  value: null,
  filledBy: null,
})
