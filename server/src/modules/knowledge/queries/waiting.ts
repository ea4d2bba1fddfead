/** SQL for files that join a collection once they are processed. */
import type { Db } from '#kernel/db/database.ts'

export const addWaitingUnscoped = (
  db: Db,
  row: { collectionId: string; fileId: string; addedAt: Date },
): Promise<unknown> =>
  db
    .insertInto('knowledgeWaiting')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** Without `fileId`, all of them. Returns how many there were. */
export const removeWaitingUnscoped = async (db: Db, collectionId: string, fileId?: string): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('knowledgeWaiting')
    .where('collectionId', '=', collectionId)
    .$if(fileId !== undefined, (query) => query.where('fileId', '=', fileId ?? ''))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

export const listWaitingUnscoped = async (db: Db, collectionId: string, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('knowledgeWaiting')
    .select('fileId')
    .where('collectionId', '=', collectionId)
    .orderBy('addedAt', 'desc')
    .orderBy('fileId')
    .limit(limit)
    .execute()
  return rows.map(({ fileId }) => fileId)
}

/** In the transaction that completes the file. Collections are locked before the memberships, as everywhere. */
export const addWaitingFilesUnscoped = async (tx: Db, fileId: string): Promise<void> => {
  const waiting = tx.selectFrom('knowledgeWaiting').select('collectionId').where('fileId', '=', fileId)
  const collections = await tx
    .selectFrom('knowledgeCollections')
    .select('id')
    .where('id', 'in', waiting)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  if (collections.length === 0) return
  const waited = await tx.deleteFrom('knowledgeWaiting').where('fileId', '=', fileId).returningAll().execute()
  if (waited.length === 0) return
  await tx
    .insertInto('knowledgeFiles')
    .values(waited.map((row) => ({ ...row, path: null, url: null })))
    .onConflict((conflict) => conflict.columns(['collectionId', 'fileId']).doNothing())
    .execute()
}
