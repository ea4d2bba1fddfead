/** Deletes files: row, text, chunks and memberships in the caller's transaction, the bytes after it commits. */
import type { Db } from '#kernel/db/database.ts'
import type { FilesContext } from './context.ts'
import { deleteFilesUnscoped } from './queries/files.ts'

export const cancelTopic = 'files.cancel'

export const deleteFiles = async (
  { blobs, signals, watch }: Pick<FilesContext, 'blobs' | 'signals' | 'watch'>,
  tx: Db,
  ids: readonly string[],
): Promise<void> => {
  await blobs.release(tx, await deleteFilesUnscoped(tx, ids))
  for (const id of ids) {
    await signals.send(tx, cancelTopic, id)
    await watch.announce(tx, id)
  }
}
