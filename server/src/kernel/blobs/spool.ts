/** Writes a source into a new file, measuring it on the way, and returns once the bytes are on the disk. */
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { AppError } from '../errors.ts'
import type { BlobSource, StoredBlob } from './blobs.ts'

/** On failure the file may exist in part: the caller removes it. */
export const spool = async (source: BlobSource, path: string, maxBytes = Infinity): Promise<StoredBlob> => {
  const hash = createHash('sha256')
  let size = 0
  const measured = async function* () {
    for await (const chunk of chunksOf(source)) {
      size += chunk.length
      if (size > maxBytes) throw new AppError('body_too_large')
      hash.update(chunk)
      yield chunk
    }
  }
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(measured())
    await file.sync()
  } finally {
    await file.close()
  }
  return { size, sha256: hash.digest('hex') }
}

const chunksOf = (source: BlobSource): Iterable<Uint8Array> | AsyncIterable<Uint8Array> =>
  source instanceof Uint8Array ? [source] : source
