/**
 * Asks for a file to be processed, in turns by tenant: the first file of each comes before the second of any, however
 * many somebody uploads. A tenant has two lanes, of which one file each is worked on at a time on a node.
 */
import type { Db } from '#kernel/db/database.ts'
import type { FilesContext } from './context.ts'
import type { FileRow } from './queries/files.ts'
import { countPendingOfScopeUnscoped } from './queries/processing.ts'

const lanes = 2

export const enqueueProcessing = async (
  { jobs, job }: Pick<FilesContext, 'jobs' | 'job'>,
  db: Db,
  { id, organizationId, ownerId }: Pick<FileRow, 'id' | 'organizationId' | 'ownerId'>,
): Promise<void> => {
  const scopeId = organizationId ?? ownerId
  const pending = await countPendingOfScopeUnscoped(db, scopeId)
  await jobs.enqueue(db, job, { fileId: id }, { priority: -pending, group: `${scopeId} ${pending % lanes}` })
}
