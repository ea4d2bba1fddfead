/** Copies files, recipients and fields of a document or template into a new draft. The bytes are shared, not copied. */
import { type FieldValue, isMark, type SigningLanguage } from '@chancery/contract/signing/signing.ts'
import type { Db } from '#kernel/db/database.ts'
import type { SigningContext } from '../context.ts'
import { insertDraft, type Maker } from '../documents/create-document.ts'
import { newRecipient } from '../documents/set-recipients.ts'
import { type DocumentRow, type Kind, updateDocumentUnscoped } from '../queries/documents.ts'
import { listFieldsUnscoped, replaceFieldsUnscoped } from '../queries/fields.ts'
import { insertFilesUnscoped, listFilesUnscoped } from '../queries/files.ts'
import { insertRecipientsUnscoped, listRecipientsUnscoped } from '../queries/recipients.ts'

interface Person {
  name: string
  email: string
  language?: SigningLanguage | null | undefined
}

interface Copy {
  source: DocumentRow
  maker: Maker
  kind: Kind
  title: string
  /** The person for each recipient of the source, by its id; a recipient without one is left out. */
  people: ReadonlyMap<string, Person>
  /** The copy's id, where the caller has chosen it. */
  id?: string | undefined
  /** By the fields of the source. Others keep what is prefilled. */
  values?: ReadonlyMap<string, FieldValue>
}

export const copyDocument = async (context: SigningContext, tx: Db, copy: Copy): Promise<DocumentRow> => {
  const { source, maker, kind, title } = copy
  const { id = context.kernel.ids.next() } = copy
  await insertDraft(context, tx, { id, maker, kind, title })
  const { message, folder, language, signingOrder, emailOtp, allowDelegation, reminderDays } = source
  const files = await copyFiles(context, tx, { from: source.id, to: id })
  const recipients = await copyRecipients(context, tx, { copy, to: id })
  await copyFields(context, tx, { copy, to: id, files, recipients })
  return updateDocumentUnscoped(tx, id, {
    message,
    folder,
    language,
    signingOrder,
    emailOtp,
    allowDelegation,
    reminderDays,
  })
}

/** For the log: the files of the copy, by the hashes of what came and of what is signed. */
export const copiedFiles = async (tx: Db, documentId: string) =>
  (await listFilesUnscoped(tx, documentId)).map(({ id: fileId, name, sha256, uploadSha256 }) => {
    return { fileId, name, sha256, uploadSha256 }
  })

type NewIds = ReadonlyMap<string, string>

const copyFiles = async (
  { kernel }: SigningContext,
  tx: Db,
  { from, to }: { from: string; to: string },
): Promise<NewIds> => {
  const files = await listFilesUnscoped(tx, from)
  const ids = new Map(files.map(({ id }) => [id, kernel.ids.next()]))
  const createdAt = kernel.clock.now()
  await insertFilesUnscoped(
    tx,
    files.map(({ id, originalId, position, name }) => ({
      id: ids.get(id) ?? id,
      documentId: to,
      originalId,
      position,
      name,
      createdAt,
    })),
  )
  return ids
}

const copyRecipients = async (
  { kernel }: SigningContext,
  tx: Db,
  { copy, to }: { copy: Copy; to: string },
): Promise<NewIds> => {
  const ids = new Map<string, string>()
  for (const { id, role, orderNumber, message, language } of await listRecipientsUnscoped(tx, copy.source.id)) {
    const person = copy.people.get(id)
    if (!person) continue
    const newId = kernel.ids.next()
    ids.set(id, newId)
    const { name, email } = person
    await insertRecipientsUnscoped(tx, [
      newRecipient({
        id: newId,
        documentId: to,
        name,
        email,
        role,
        orderNumber,
        // A message to one person is not for the next.
        message: copy.source.kind === 'TEMPLATE' ? message : null,
        language: person.language ?? language,
        createdAt: kernel.clock.now(),
      }),
    ])
  }
  return ids
}

/** Values that recipients of a document typed are theirs: only those that the owner prefilled and locked are copied. */
const copyFields = async (
  { kernel }: SigningContext,
  tx: Db,
  { copy, to, files, recipients }: { copy: Copy; to: string; files: NewIds; recipients: NewIds },
): Promise<void> => {
  const { source, values } = copy
  const isPrefilled = source.kind === 'TEMPLATE' || source.state === 'DRAFT'
  const fields = await listFieldsUnscoped(tx, source.id)
  await replaceFieldsUnscoped(
    tx,
    to,
    fields.flatMap((field) => {
      const [fileId, recipientId] = [files.get(field.fileId), recipients.get(field.recipientId)]
      if (fileId === undefined || recipientId === undefined) return []
      // Also where a signature was locked, as senders once could.
      const isOfSender = !isMark(field.type)
      // A locked field may also hold what the service filled in: the day of that signing.
      const isKept = isOfSender && field.filledBy === 'SENDER' && (isPrefilled || field.readOnly)
      const kept = isKept ? field.value : null
      const value = values?.get(field.id) ?? kept
      const readOnly = isOfSender && field.readOnly
      const filledBy = value === null ? null : ('SENDER' as const)
      return [{ ...field, id: kernel.ids.next(), documentId: to, fileId, recipientId, value, filledBy, readOnly }]
    }),
  )
}
