/** All SQL for `signing_files` and `signing_originals`. Callers have found the document through the actor. */

import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { SigningFilesTable, SigningOriginalsTable } from '../tables.ts'

export type FileRow = SigningFilesTable & Omit<SigningOriginalsTable, 'id' | 'createdAt'>

/** The facts about a file that readers of a document get. */
export type ShownFile = Pick<FileRow, 'id' | 'name' | 'sha256' | 'bytes' | 'pageCount' | 'pages'>

export const listFilesUnscoped = (db: Db, documentId: string): Promise<FileRow[]> =>
  db
    .selectFrom('signingFiles as f')
    .innerJoin('signingOriginals as o', 'o.id', 'f.originalId')
    .selectAll('f')
    .select(['o.blobKey', 'o.sha256', 'o.bytes', 'o.pageCount', 'o.pages', 'o.hasSignatures'])
    .where('f.documentId', '=', documentId)
    .orderBy('f.position')
    .orderBy('f.id')
    .execute()

export const insertOriginalUnscoped = async (db: Db, original: SigningOriginalsTable): Promise<void> => {
  await db
    .insertInto('signingOriginals')
    .values({ ...original, pages: sql<never>`${JSON.stringify(original.pages)}::jsonb` })
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

/** Deletes the files with their fields, and answers the blobs that nothing refers to any more. */
export const deleteFilesUnscoped = async (db: Db, ids: readonly string[]): Promise<string[]> => {
  if (ids.length === 0) return []
  const deleted = await db.deleteFrom('signingFiles').where('id', 'in', ids).returning('originalId').execute()
  const unused = await db
    .deleteFrom('signingOriginals as o')
    .where(
      'o.id',
      'in',
      deleted.map(({ originalId }) => originalId),
    )
    .where((row) =>
      row.not(row.exists(row.selectFrom('signingFiles as f').select('f.id').whereRef('f.originalId', '=', 'o.id'))),
    )
    .returning('o.blobKey')
    .execute()
  return unused.map(({ blobKey }) => blobKey)
}
