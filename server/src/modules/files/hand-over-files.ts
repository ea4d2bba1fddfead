/** Hands over the files of a person who is deleted: the heir's plan counts them from then on. */
import type { UserDeletionHandler } from '#modules/accounts/index.ts'
import type { FilesContext } from './context.ts'
import { deleteFiles } from './delete-file.ts'
import { handOverFilesUnscoped, listFileIdsOfUnscoped } from './queries/files.ts'

export const handOverFiles =
  (context: Pick<FilesContext, 'blobs' | 'signals' | 'watch'>): UserDeletionHandler =>
  async (tx, { user, heir }) => {
    if (heir) await handOverFilesUnscoped(tx, user.id, heir)
    else await deleteFiles(context, tx, await listFileIdsOfUnscoped(tx, user.id))
  }
