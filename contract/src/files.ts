/** Files: uploads and their processing (contract, File; Files and knowledge). */
import { z } from 'zod'
import { pageOf, paging } from './lists.ts'

export const UploadQuery = z.strictObject({
  process: z.stringbool().default(true),
  process_in_background: z.stringbool().default(true),
  /** A collection that the file joins as soon as it is processed. */
  collection_id: z.uuid().optional(),
})

export const StatusQuery = z.strictObject({ stream: z.stringbool().default(false) })

export const ContentQuery = z.strictObject({ attachment: z.stringbool().default(false) })

const ProcessingStatus = z.enum(['pending', 'completed', 'failed'])

export const FileListQuery = z.strictObject({
  ...paging(50),
  search: z.string().max(200).optional(),
  status: ProcessingStatus.optional(),
})
export type FileListQuery = z.infer<typeof FileListQuery>

/** How far the current stage is; `total` is null where it isn't known. */
export const Progress = z.object({ stage: z.string(), done: z.int(), total: z.int().nullable() })
export type Progress = z.infer<typeof Progress>

export const FileStatus = z.object({
  status: ProcessingStatus,
  error: z.string().optional(),
  progress: Progress.optional(),
})
export type FileStatus = z.infer<typeof FileStatus>

/** `data.status` is absent while nobody has asked for the file to be processed. */
export const FileRecord = z.object({
  id: z.uuid(),
  user_id: z.uuid(),
  filename: z.string(),
  hash: z.string(),
  data: z.object({ status: ProcessingStatus.optional(), error: z.string().optional() }),
  meta: z.object({ name: z.string(), content_type: z.string(), size: z.int() }),
  created_at: z.int(),
  updated_at: z.int(),
})
export type FileRecord = z.infer<typeof FileRecord>

export const FileList = pageOf(FileRecord)

export const FileText = z.object({ content: z.string() })
