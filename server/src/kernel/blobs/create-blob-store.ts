/** A folder, or an S3-compatible store where one is configured. */
import type { Clock } from '../clock.ts'
import type { BlobStore } from './blob-store.ts'
import { createFolderStore } from './folder-store.ts'
import { createS3Store, type S3Options } from './s3-store.ts'

interface Options {
  /** Also with S3: bytes pass through it on their way there. */
  folder: string
  clock: Clock
  s3?: S3Options | undefined
}

export const createBlobStore = ({ folder, clock, s3 }: Options): Promise<BlobStore> =>
  s3 ? createS3Store(s3, { folder, clock }) : createFolderStore({ folder, clock })
