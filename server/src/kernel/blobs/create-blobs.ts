/** A folder, or an S3-compatible store where one is configured. */
import type { Clock } from '../clock.ts'
import type { Blobs } from './blobs.ts'
import { createFolderBlobs } from './folder-blobs.ts'
import { createS3Blobs, type S3Options } from './s3-blobs.ts'

interface BlobsOptions {
  folder: string
  clock: Clock
  s3?: S3Options | undefined
}

export const createBlobs = ({ folder, clock, s3 }: BlobsOptions): Promise<Blobs> =>
  s3 ? createS3Blobs(s3) : createFolderBlobs(folder, clock)
