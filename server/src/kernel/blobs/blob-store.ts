/**
 * Bytes that are too large for a row: uploads, documents, generated files. A folder or an S3-compatible store keeps them;
 * both behave alike, proven by one suite of tests. Who may read a blob is decided by the module that owns the
 * row with the key.
 */
import type { Readable } from 'node:stream'
import { AppError } from '../errors.ts'

export interface BlobStore {
  /**
   * Stores all of it or nothing: a reader never sees half a blob, nor does the next start after a crash.
   * An existing blob under the key is replaced. Larger than `maxBytes` → `body_too_large`.
   */
  put(key: string, source: BlobSource, options?: PutOptions): Promise<StoredBlob>
  /** Misses with undefined. A range that starts beyond the end → `range_not_satisfiable`. */
  get(key: string, range?: ByteRange): Promise<OpenBlob | undefined>
  exists(key: string): Promise<boolean>
  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>
  /** Removes temporary files that a crash left a day ago or earlier. Also done when the store is opened. */
  removeLeftOvers(): Promise<void>
  /** Rejects when the store does not answer. */
  ping(): Promise<unknown>
  close(): Promise<void>
}

/** The store can't be reached or can't work at the moment: the same call may succeed later. */
export class BlobStoreUnavailable extends Error {}

export type BlobSource = Uint8Array | AsyncIterable<Uint8Array>

export interface PutOptions {
  /** Kept by stores that keep it; what the service answers comes from its own row. */
  contentType?: string | undefined
  maxBytes?: number | undefined
}

export interface StoredBlob {
  size: number
  /** Hexadecimal. */
  sha256: string
}

/** Both ends included, as in HTTP; without `end`, to the last byte. */
export interface ByteRange {
  start: number
  end?: number | undefined
}

export interface OpenBlob {
  /** The bytes of the range. Read it to its end or destroy it. */
  stream: Readable
  /** The size of the whole blob. */
  size: number
}

const keyPattern = /^[a-z0-9][a-z0-9-]*(?:\/[a-z0-9][a-z0-9-]*)*$/
const maxKeyLength = 200

/** Keys are made by the server (`files/<id>`), never by a client; anything else is a mistake of ours, so a plain error. */
export const assertBlobKey = (key: string): void => {
  if (key.length > maxKeyLength || !keyPattern.test(key)) throw new Error('This is not a blob key.')
}

/** Stores disagree on a range that ends before it starts: one answers everything, another fails. */
export const assertRange = ({ start, end = start }: ByteRange): void => {
  const isRange = Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && end >= start
  if (!isRange) throw new AppError('range_not_satisfiable')
}
