/**
 * BlobStore in an S3-compatible store, addressed by path (`<endpoint>/<bucket>/<key>`), as most of them ask for.
 * The SDK is imported only here and only when a store is configured: it costs megabytes that a folder does not need.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import type { Clock } from '../clock.ts'
import { AppError } from '../errors.ts'
import {
  assertBlobKey,
  assertRange,
  type BlobStore,
  BlobStoreUnavailable,
  type ByteRange,
  type OpenBlob,
  type PutOptions,
  type StoredBlob,
} from './blob-store.ts'
import { openSpool, type Spool } from './spool.ts'

export interface S3Options {
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

const ignore = (): void => undefined

type Sdk = typeof import('@aws-sdk/client-s3')

interface Local {
  folder: string
  clock: Clock
}

export const createS3Store = async (options: S3Options, { folder, clock }: Local): Promise<BlobStore> => {
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
    // Failures are thrown, and logged once by the code that catches them.
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    requestHandler: { connectionTimeout: 5_000, requestTimeout: 60_000 },
  })
  return s3Store({ sdk, client, bucket, spool: await openSpool(folder, clock) })
}

interface S3 {
  sdk: Sdk
  client: S3Client
  bucket: string
  spool: Spool
}

const s3Store = ({ sdk, client, bucket, spool }: S3): BlobStore => {
  const at = (key: string) => {
    assertBlobKey(key)
    return { Bucket: bucket, Key: key }
  }
  return {
    async put(key, source, options = {}) {
      const address = at(key)
      const ContentType = options.contentType ?? 'application/octet-stream'
      const send = async (body: Uint8Array | Readable, { size, sha256 }: StoredBlob): Promise<void> => {
        const ChecksumSHA256 = Buffer.from(sha256, 'hex').toString('base64')
        const upload = { ...address, Body: body, ContentLength: size, ContentType, ChecksumSHA256 }
        await named(client.send(new sdk.PutObjectCommand(upload)))
      }
      if (source instanceof Uint8Array) return sendBytes(source, options, send)
      // A store wants the length first, so a stream goes to a temporary file on its way.
      return spool.write(source, options.maxBytes, (path, stored) => sendFile(path, (body) => send(body, stored)))
    },
    get: async (key, range) => orMissing(openObject(sdk, client, { ...at(key), ...rangeHeader(range) })),
    exists: async (key) => (await orMissing(client.send(new sdk.HeadObjectCommand(at(key))))) !== undefined,
    async delete(key) {
      await named(client.send(new sdk.DeleteObjectCommand(at(key))))
    },
    // It does not matter if there is such an object, or if we may ask.
    ping: () => orMissing(client.send(new sdk.HeadObjectCommand(at('ping')))).catch(unlessUnavailable),
    removeLeftOvers: () => spool.removeLeftOvers(),
    close: async () => client.destroy(),
  }
}

type Send = (body: Uint8Array, stored: StoredBlob) => Promise<void>

const sendBytes = async (bytes: Uint8Array, { maxBytes }: PutOptions, send: Send): Promise<StoredBlob> => {
  if (bytes.length > (maxBytes ?? Infinity)) throw new AppError('body_too_large')
  const stored = { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
  await send(bytes, stored)
  return stored
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

const isAway = (problem: unknown): boolean => {
  const status = (problem as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
  return status === undefined || status >= 500 || status === 429
}

/** Nothing that was thrown before a store answered, nor what it says while it can't work, may look like our database. */
const named = async <Result>(call: Promise<Result>): Promise<Result> => {
  try {
    return await call
  } catch (problem) {
    throw isAway(problem) ? new BlobStoreUnavailable('The S3 store does not answer.', { cause: problem }) : problem
  }
}

const unlessUnavailable = (problem: unknown): void => {
  if (problem instanceof BlobStoreUnavailable) throw problem
}

/** A missing bucket is a fault of the configuration and must not look like a missing blob. */
const orMissing = async <Found>(finding: Promise<Found>): Promise<Found | undefined> => {
  try {
    return await named(finding)
  } catch (problem) {
    const { name, $metadata } = problem as { name?: string; $metadata?: { httpStatusCode?: number } }
    if ($metadata?.httpStatusCode === 416) throw new AppError('range_not_satisfiable', { cause: problem })
    if ($metadata?.httpStatusCode === 404 && name !== 'NoSuchBucket') return undefined
    throw problem
  }
}
