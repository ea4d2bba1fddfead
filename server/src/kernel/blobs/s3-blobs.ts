/**
 * Blobs in an S3-compatible store, addressed by path (`<endpoint>/<bucket>/<key>`), as most of them ask for.
 * The SDK is imported only here and only when a store is configured: it costs megabytes that a folder does not need.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { AppError } from '../errors.ts'
import {
  assertBlobKey,
  assertRange,
  type BlobSource,
  type Blobs,
  type ByteRange,
  type OpenBlob,
  type PutOptions,
} from './blobs.ts'
import { spool } from './spool.ts'

export interface S3Options {
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

const ignore = (): void => undefined

type Sdk = typeof import('@aws-sdk/client-s3')

export const createS3Blobs = async (options: S3Options): Promise<Blobs> => {
  const sdk = await import('@aws-sdk/client-s3')
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = options
  const client = new sdk.S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    // We send our own SHA-256; the SDK's default checksums are unknown to many compatible stores.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // What goes wrong is thrown, and logged once by whoever catches it.
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    requestHandler: { connectionTimeout: 5_000, requestTimeout: 60_000 },
  })
  return s3Blobs(sdk, client, bucket)
}

const s3Blobs = (sdk: Sdk, client: S3Client, bucket: string): Blobs => {
  const at = (key: string) => {
    assertBlobKey(key)
    return { Bucket: bucket, Key: key }
  }
  return {
    async put(key, source, options = {}) {
      const address = at(key)
      const ContentType = options.contentType ?? 'application/octet-stream'
      return measured(source, options, async ({ body, size, sha256 }) => {
        const ChecksumSHA256 = Buffer.from(sha256, 'hex').toString('base64')
        const upload = { ...address, Body: body, ContentLength: size, ContentType, ChecksumSHA256 }
        await client.send(new sdk.PutObjectCommand(upload))
      })
    },
    get: async (key, range) => orMissing(openObject(sdk, client, { ...at(key), ...rangeHeader(range) })),
    exists: async (key) => (await orMissing(client.send(new sdk.HeadObjectCommand(at(key))))) !== undefined,
    async delete(key) {
      await client.send(new sdk.DeleteObjectCommand(at(key)))
    },
    close: async () => client.destroy(),
  }
}

interface Measured {
  body: Uint8Array | Readable
  size: number
  sha256: string
}

/** A store wants the length first, so a stream goes to a temporary file on its way. */
const measured = async (source: BlobSource, { maxBytes }: PutOptions, send: (blob: Measured) => Promise<void>) => {
  if (source instanceof Uint8Array) {
    if (source.length > (maxBytes ?? Infinity)) throw new AppError('body_too_large')
    const sha256 = createHash('sha256').update(source).digest('hex')
    await send({ body: source, size: source.length, sha256 })
    return { size: source.length, sha256 }
  }
  const folder = await mkdtemp(join(tmpdir(), 'blob-'))
  try {
    const path = join(folder, 'spool')
    const stored = await spool(source, path, maxBytes)
    await sendFile(path, (body) => send({ body, ...stored }))
    return stored
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The SDK neither closes the file when the store is down nor listens to its errors. */
const sendFile = async (path: string, send: (body: Readable) => Promise<void>): Promise<void> => {
  const body = createReadStream(path)
  const broken = new Promise<never>((_, reject) => body.once('error', reject))
  try {
    await Promise.race([send(body), broken])
  } finally {
    body.destroy()
    if (!body.closed) await once(body, 'close')
  }
}

interface ObjectRequest {
  Bucket: string
  Key: string
  Range?: string
}

const rangeHeader = (range?: ByteRange): Pick<ObjectRequest, 'Range'> => {
  if (!range) return {}
  assertRange(range)
  return { Range: `bytes=${range.start}-${range.end ?? ''}` }
}

const openObject = async (sdk: Sdk, client: S3Client, request: ObjectRequest): Promise<OpenBlob> => {
  const { Body, ContentRange, ContentLength } = await client.send(new sdk.GetObjectCommand(request))
  const total = ContentRange?.split('/')[1] ?? ContentLength
  return { stream: Body as Readable, size: Number(total) }
}

/** A missing bucket is a fault of the configuration and must not look like a missing blob. */
const orMissing = async <Found>(finding: Promise<Found>): Promise<Found | undefined> => {
  try {
    return await finding
  } catch (problem) {
    const { name, $metadata } = problem as { name?: string; $metadata?: { httpStatusCode?: number } }
    if ($metadata?.httpStatusCode === 416) throw new AppError('range_not_satisfiable', { cause: problem })
    if ($metadata?.httpStatusCode === 404 && name !== 'NoSuchBucket') return undefined
    throw problem
  }
}
