/** The request to PDF work: the original bytes, the values to draw, and the evidence. Always from the originals. */
import type { Db } from '#kernel/db/database.ts'
import { dayText, type PlacedField, type SealRequest } from '#modules/pdf/index.ts'
import type { SigningContext } from '../context.ts'
import { readEvidence } from '../evidence/certificate.ts'
import type { DocumentRow } from '../queries/documents.ts'
import { type FieldRow, listFieldsUnscoped } from '../queries/fields.ts'
import { listDrawnUnscoped, listFilesUnscoped } from '../queries/files.ts'
import { listRecipientsUnscoped } from '../queries/recipients.ts'

export const buildSealRequest = async (
  context: Pick<SigningContext, 'organizations'>,
  db: Db,
  document: DocumentRow,
): Promise<SealRequest> => {
  const files = await listFilesUnscoped(db, document.id)
  const drawn = await listDrawnUnscoped(db, document.id)
  const fields = await listFieldsUnscoped(db, document.id)
  const names = new Map((await listRecipientsUnscoped(db, document.id)).map(({ id, name }) => [id, name]))
  return {
    documentId: document.id,
    title: document.title,
    organizationId: document.organizationId,
    tenant: document.scopeId,
    evidence: await readEvidence(context, db, document),
    files: files.map(({ id, blobKey, name }) => ({
      blobId: blobKey,
      name,
      drawn: drawn.get(id) ?? null,
      fields: fields
        .filter(({ fileId }) => fileId === id)
        .flatMap((field) => placed(document, field, names.get(field.recipientId) ?? '') ?? []),
    })),
  }
}

/** A date is drawn as the readers of the document write it. */
const placed = ({ language }: DocumentRow, field: FieldRow, signerName: string): PlacedField | undefined => {
  const { page, x, y, width, height, type, value: stored } = field
  const value = type === 'DATE' && typeof stored === 'string' ? dayText(language, stored) : stored
  return value === null ? undefined : { page, x, y, width, height, type, value, signerName }
}
