/**
 * Versions of a draft's files, recipients and fields: a hash of each, sent back in `If-Match`. So a second tab can't
 * overwrite what it has not seen. The parts have versions of their own, since the editor saves them apart.
 */
import { createHash } from 'node:crypto'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import { canonicalJson } from '../evidence/chain.ts'
import { presentField } from '../present.ts'
import { type FieldRow, listFieldsUnscoped } from '../queries/fields.ts'
import { type FileRow, listFilesUnscoped } from '../queries/files.ts'
import { listRecipientsUnscoped, type RecipientRow } from '../queries/recipients.ts'

const hashOf = (value: unknown): string => createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, 32)

const hashFiles = (files: readonly FileRow[]): string => hashOf(files.map(({ id }) => id))
const hashFields = (fields: readonly FieldRow[]): string => hashOf(fields.map(presentField))
const hashRecipients = (recipients: readonly RecipientRow[]): string =>
  hashOf(
    recipients.map(({ id, name, email, role, orderNumber, message, language }) => {
      return { id, name, email, role, orderNumber, message, language }
    }),
  )

interface Parts {
  files: readonly FileRow[]
  recipients: readonly RecipientRow[]
  fields: readonly FieldRow[]
}

export const versionsOf = ({ files, recipients, fields }: Parts) => ({
  files: hashFiles(files),
  recipients: hashRecipients(recipients),
  fields: hashFields(fields),
})

const currentHash: Record<keyof Parts, (tx: Db, id: string) => Promise<string>> = {
  files: async (tx, id) => hashFiles(await listFilesUnscoped(tx, id)),
  recipients: async (tx, id) => hashRecipients(await listRecipientsUnscoped(tx, id)),
  fields: async (tx, id) => hashFields(await listFieldsUnscoped(tx, id)),
}

/** Under the document's lock. Without `If-Match` nothing is checked. */
export const requireUnchanged = async (
  tx: Db,
  { documentId, part, ifMatch }: { documentId: string; part: keyof Parts; ifMatch: string | undefined },
): Promise<void> => {
  if (ifMatch === undefined || ifMatch === '*') return
  const current = await currentHash[part](tx, documentId)
  const isSeen = ifMatch.split(',').some((tag) => tag.trim() === `"${current}"`)
  if (!isSeen) throw new AppError('document_changed')
}
