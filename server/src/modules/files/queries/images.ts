/** SQL for `file_images`: what models get instead of large images. */
import type { Db } from '#kernel/db/database.ts'
import type { FileImagesTable } from '../tables.ts'

export type ModelImage = Pick<FileImagesTable, 'blobKey' | 'contentType'>

export const findModelImageUnscoped = (db: Db, fileId: string): Promise<ModelImage | undefined> =>
  db.selectFrom('fileImages').select(['blobKey', 'contentType']).where('fileId', '=', fileId).executeTakeFirst()

/** False where there is one already. */
export const insertModelImageUnscoped = async (tx: Db, { fileId, blobKey, contentType }: FileImagesTable) => {
  const inserted = await tx
    .insertInto('fileImages')
    .values({ fileId, blobKey, contentType })
    .onConflict((conflict) => conflict.doNothing())
    .returning('fileId')
    .executeTakeFirst()
  return inserted !== undefined
}
