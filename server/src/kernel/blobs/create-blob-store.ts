/** A folder, or an S3-compatible store where one is configured. */
import { join, resolve } from 'node:path'
import type { Clock } from '../clock.ts'
import type { Config } from '../config/config.ts'
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

/** The one of the configuration. */
export const openBlobStore = (config: Config, clock: Clock): Promise<BlobStore> =>
  createBlobStore({ folder: join(resolve(config.SVC_DATA_DIR), 'blobs'), clock, s3: s3Of(config) })

const s3Of = (config: Config): S3Options | undefined => {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_REGION: region } = config
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config
  return endpoint && bucket && accessKeyId && secretAccessKey
    ? { endpoint, bucket, region, accessKeyId, secretAccessKey }
    : undefined
}
