/** Collections as JSON. */
import type { Collection, CollectionFile, WaitingFile } from '@chancery/contract/files/knowledge.ts'
import { unixSeconds } from '#kernel/clock.ts'
import { type FileRow, presentFile } from '#modules/files/index.ts'
import type { Readable } from './collections/get-collection.ts'
import type { CollectionCounts } from './queries/collections.ts'

export const presentCollection = (
  collection: Readable,
  counts: CollectionCounts = { files: 0, stale: 0 },
): Collection => ({
  id: collection.id,
  type: 'collection',
  status: counts.stale > 0 ? 'processing' : 'processed',
  user_id: collection.ownerId,
  name: collection.name,
  description: collection.description,
  write_access: collection.canWrite,
  ...(collection.canWrite ? { access_grants: collection.grants === null ? null : [...collection.grants] } : {}),
  file_count: counts.files,
  ...(counts.stale > 0 ? { reindexing: { done: counts.files - counts.stale, total: counts.files } } : {}),
  created_at: unixSeconds(collection.createdAt),
  updated_at: unixSeconds(collection.updatedAt),
})

export const presentMember = (file: FileRow, path: string | null): CollectionFile => ({
  ...presentFile(file),
  ...(path === null ? {} : { path }),
})

export const presentWaiting = (file: FileRow): WaitingFile => ({
  ...presentFile(file),
  ...(file.progress === null ? {} : { progress: file.progress }),
})
