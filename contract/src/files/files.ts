/** Files: uploads and their processing (contract, File; Files and knowledge). */
import { z } from 'zod'
import { pageOf, paging, sortBy } from '../lists.ts'

export const UploadQuery = z.strictObject({
  process: z.stringbool().default(true),
  process_in_background: z.stringbool().default(true),
  /** A collection that the file joins as soon as it is processed. */
  collection_id: z.uuid().optional(),
})

const metadataName = /^(?!__proto__$|constructor$|prototype$)[\w.-]{1,60}$/

/** The field is JSON inside a form, so nothing has checked its escapes yet; the database takes neither of these. */
const MetadataText = z
  .string()
  .max(500)
  .refine((text) => !text.includes('\0') && text.isWellFormed(), 'must be Unicode text without NUL characters')

/** Facts that the uploader gives about a file, to filter by. */
export const FileMetadata = z
  .record(
    z.string().regex(metadataName, 'must be at most 60 letters, digits, dots, dashes and underscores'),
    z.union([MetadataText, z.number(), z.boolean()]),
  )
  .refine((given) => Object.keys(given).length <= 50, 'must have at most 50 entries')
export type FileMetadata = z.infer<typeof FileMetadata>

/** The text fields of an upload. */
export const UploadBody = z.strictObject({
  /** A JSON object. */
  metadata: z
    .string()
    .max(40_000)
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text)
      } catch {
        context.addIssue({ code: 'custom', message: 'must be JSON' })
        return z.NEVER
      }
    })
    .pipe(FileMetadata)
    .optional(),
})

export const StatusQuery = z.strictObject({ stream: z.stringbool().default(false) })

export const ContentQuery = z.strictObject({ attachment: z.stringbool().default(false) })

const ProcessingStatus = z.enum(['pending', 'completed', 'failed'])

export const FileListQuery = z.strictObject({
  ...paging(50),
  search: z.string().max(200).optional(),
  status: ProcessingStatus.optional(),
  sort: sortBy('name', 'status', 'size', 'type', 'created'),
})
export type FileListQuery = z.infer<typeof FileListQuery>

/** Progress of the current stage; `total` is null where it isn't known. */
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
  /** `data` is the metadata of the upload, where there is any. */
  meta: z.object({ name: z.string(), content_type: z.string(), size: z.int(), data: FileMetadata.optional() }),
  created_at: z.int(),
  updated_at: z.int(),
})
export type FileRecord = z.infer<typeof FileRecord>

export const FileList = pageOf(FileRecord)

export const FileText = z.object({ content: z.string() })
