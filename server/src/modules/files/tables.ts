/** The tables this module owns. */
import type { FileMetadata, Progress } from '@chancery/contract/files/files.ts'
import type { Generated } from 'kysely'

export type FileState = 'stored' | 'pending' | 'completed' | 'failed'

export interface FilesTable {
  id: string
  ownerKind: 'user' | 'admin'
  ownerId: string
  organizationId: string | null
  name: string
  contentType: string
  size: number
  sha256: string
  blobKey: string
  state: FileState
  error: string | null
  progress: Progress | null
  metadata: Generated<FileMetadata>
  attempts: Generated<number>
  isClaimed: Generated<boolean>
  leaseEpoch: Generated<number>
  leaseUntil: Generated<Date>
  /** Deleted at this time unless a module above keeps it; null for files that stay. */
  provisionalUntil: Generated<Date | null>
  createdAt: Date
  updatedAt: Date
}

/** From the character `at` on, the text is on this page and under this heading. */
export interface TextMark {
  at: number
  page?: number
  heading?: string
}

interface FileTextsTable {
  fileId: string
  content: string
  marks: TextMark[]
}

/** Without a blob, the image itself is small enough for a model. */
export interface FileImagesTable {
  fileId: string
  blobKey: string | null
  contentType: string
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    files: FilesTable
    fileTexts: FileTextsTable
    fileImages: FileImagesTable
  }
}
