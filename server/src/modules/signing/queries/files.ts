/** All SQL for `signing_files` and `signing_originals`. Callers have found the document through the actor. */

import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { SigningFilesTable, SigningOriginalsTable } from '../tables.ts'

/** Without what is only needed now and then: what its pages draw, and the upload's form. */
export type FileRow = SigningFilesTable & Omit<SigningOriginalsTable, 'id' | 'createdAt' | 'drawn' | 'formFields'>

/** The facts about a file that readers of a document get. */
export type ShownFile = Pick<FileRow, 'id' | 'name' | 'sha256' | 'bytes' | 'pageCount' | 'pages'>

export const listFilesUnscoped = (db: Db, documentId: string): Promise<FileRow[]> =>
  db
    .selectFrom('signingFiles as f')
    .innerJoin('signingOriginals as o', 'o.id', 'f.originalId')
    .selectAll('f')
    .select(['o.blobKey', 'o.sha256', 'o.bytes', 'o.pageCount', 'o.pages', 'o.hasSignatures'])
    .select(['o.uploadKey', 'o.uploadSha256', 'o.uploadBytes', 'o.uploadName', 'o.uploadType'])
    .select(['o.removed', 'o.earlierSignatures'])
    .where('f.documentId', '=', documentId)
    .orderBy('f.position')
    .orderBy('f.id')
    .execute()

/** What each page of the document's originals draws, by the file's id; null where nobody has read it yet. */
export const listDrawnUnscoped = async (
  db: Db,
  documentId: string,
): Promise<Map<string, SigningOriginalsTable['drawn']>> => {
  const rows = await db
    .selectFrom('signingFiles as f')
    .innerJoin('signingOriginals as o', 'o.id', 'f.originalId')
    .select(['f.id', 'o.drawn'])
    .where('f.documentId', '=', documentId)
    .execute()
  return new Map(rows.map(({ id, drawn }) => [id, drawn]))
}

export const findFormFieldsUnscoped = async (
  db: Db,
  originalId: string,
): Promise<SigningOriginalsTable['formFields']> => {
  const row = await db
    .selectFrom('signingOriginals')
    .select('formFields')
    .where('id', '=', originalId)
    .executeTakeFirst()
  return row?.formFields ?? []
}

const json = (value: unknown) => sql<never>`${JSON.stringify(value)}::jsonb`

export const insertOriginalUnscoped = async (db: Db, original: SigningOriginalsTable): Promise<void> => {
  const { pages, drawn, removed, earlierSignatures, formFields, ...plain } = original
  const lists = {
    pages: json(pages),
    drawn: drawn && json(drawn),
    removed: json(removed),
    earlierSignatures: json(earlierSignatures),
    formFields: json(formFields),
  }
  await db
    .insertInto('signingOriginals')
    .values({ ...plain, ...lists })
    .execute()
}

export const insertFilesUnscoped = async (db: Db, files: readonly SigningFilesTable[]): Promise<void> => {
  if (files.length > 0)
    await db
      .insertInto('signingFiles')
      .values([...files])
      .execute()
}

export const moveFileUnscoped = async (db: Db, id: string, position: number): Promise<void> => {
  await db.updateTable('signingFiles').set({ position }).where('id', '=', id).execute()
}

/** False where the file has another original by now. */
export const replaceOriginalUnscoped = async (
  db: Db,
  { fileId, from, to }: { fileId: string; from: string; to: string },
): Promise<boolean> => {
  const replaced = await db
    .updateTable('signingFiles')
    .set({ originalId: to })
    .where('id', '=', fileId)
    .where('originalId', '=', from)
    .returning('id')
    .executeTakeFirst()
  return replaced !== undefined
}

/** Deletes the files with their fields, and answers the blobs that nothing refers to any more. */
export const deleteFilesUnscoped = async (db: Db, ids: readonly string[]): Promise<string[]> => {
  if (ids.length === 0) return []
  const deleted = await db.deleteFrom('signingFiles').where('id', 'in', ids).returning('originalId').execute()
  return deleteUnusedOriginalsUnscoped(
    db,
    deleted.map(({ originalId }) => originalId),
  )
}

/** Those of them that no file has; answers their blobs. */
export const deleteUnusedOriginalsUnscoped = async (db: Db, ids: readonly string[]): Promise<string[]> => {
  if (ids.length === 0) return []
  const unused = await db
    .deleteFrom('signingOriginals as o')
    .where('o.id', 'in', ids)
    .where((row) =>
      row.not(row.exists(row.selectFrom('signingFiles as f').select('f.id').whereRef('f.originalId', '=', 'o.id'))),
    )
    .returning(['o.blobKey', 'o.uploadKey'])
    .execute()
  return unused.flatMap(({ blobKey, uploadKey }) => (uploadKey === null ? [blobKey] : [blobKey, uploadKey]))
}
