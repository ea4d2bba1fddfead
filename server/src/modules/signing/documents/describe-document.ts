/** A document with everything that belongs to it. */
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { SigningContext } from '../context.ts'
import { refusalsOf } from '../notify.ts'
import { presentDocument } from '../present.ts'
import type { Kind } from '../queries/documents.ts'
import { listFieldsUnscoped } from '../queries/fields.ts'
import { listFilesUnscoped } from '../queries/files.ts'
import { listRecipientsUnscoped } from '../queries/recipients.ts'
import { versionsOf } from './versions.ts'
import { getDocument } from './with-document.ts'

export const describeDocument = async (
  { kernel }: Pick<SigningContext, 'kernel'>,
  actor: Actor,
  { id, kind = 'DOCUMENT' }: { id: string; kind?: Kind },
) => {
  const { db, mail } = kernel
  const document = await getDocument(db, actor, { id, kind })
  const parts = await readParts(db, id)
  const mails = await mail.listStatusesUnscoped(
    db,
    parts.recipients.flatMap(({ mailId }) => mailId ?? []),
  )
  const presented = presentDocument(document, {
    ...parts,
    mails: new Map(mails.map((one) => [one.id, one])),
    refusals: await refusalsOf(db, document, parts.recipients),
  })
  return { ...presented, versions: versionsOf(parts) }
}

export const readParts = async (db: Db, documentId: string) => {
  const [files, recipients, fields] = await Promise.all([
    listFilesUnscoped(db, documentId),
    listRecipientsUnscoped(db, documentId),
    listFieldsUnscoped(db, documentId),
  ])
  return { files, recipients, fields }
}
