/** Files as JSON. Blob keys and leases have no presenter. */
import type { FileRecord, FileStatus } from '@chancery/contract/files/files.ts'
import { unixSeconds } from '#kernel/clock.ts'
import type { FileRow } from './queries/files.ts'

export const isBeingProcessed = ({ state }: Pick<FileRow, 'state'>): boolean => state === 'pending'

/** The contract knows three states: a file that nobody asked to process is pending. */
export const presentStatus = ({ state, error, progress }: FileRow): FileStatus => ({
  status: state === 'stored' ? 'pending' : state,
  ...(error === null ? {} : { error }),
  ...(progress === null ? {} : { progress }),
})

export const presentFile = (file: FileRow): FileRecord => ({
  id: file.id,
  user_id: file.ownerId,
  filename: file.name,
  hash: file.sha256,
  data: {
    ...(file.state === 'stored' ? {} : { status: file.state }),
    ...(file.error === null ? {} : { error: file.error }),
  },
  meta: {
    name: file.name,
    content_type: file.contentType,
    size: file.size,
    ...(Object.keys(file.metadata).length > 0 ? { data: file.metadata } : {}),
  },
  created_at: unixSeconds(file.createdAt),
  updated_at: unixSeconds(file.updatedAt),
})
