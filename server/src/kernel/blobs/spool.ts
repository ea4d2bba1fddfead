/** Temporary files through which blobs pass. A crash leaves a file here, which `removeLeftOvers` deletes a day later. */
import { createHash } from 'node:crypto'
import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import { randomToken } from '../crypto/tokens.ts'
import { AppError } from '../errors.ts'
import type { BlobSource, StoredBlob } from './blob-store.ts'
import { makeFolder, type Owner, ownerOf } from './owner.ts'

export interface Spool {
  /**
   * Writes the source to a temporary file, hashed and counted on the way, and hands it over once it is on the disk. The
   * file is gone afterwards, whether `use` moved it, only read it, or failed.
   */
  write(source: BlobSource, maxBytes: number | undefined, use: Use): Promise<StoredBlob>
  removeLeftOvers(): Promise<void>
}

type Use = (path: string, stored: StoredBlob) => Promise<void>

/** No upload pauses for a day, not even one of another process on the same folder. */
const leftOverAfterMs = 24 * 60 * 60 * 1000

export const openSpool = async (root: string, clock: Clock): Promise<Spool> => {
  const folder = join(root, 'tmp')
  await makeFolder(folder)
  const owner = await ownerOf(folder)
  const spool: Spool = {
    async write(source, maxBytes, use) {
      const path = join(folder, randomToken(16))
      try {
        const stored = await writeFile(path, source, { maxBytes, owner })
        await use(path, stored)
        return stored
      } finally {
        await rm(path, { force: true })
      }
    },
    async removeLeftOvers() {
      const beforeMs = clock.now().getTime() - leftOverAfterMs
      for (const name of await readdir(folder)) {
        const path = join(folder, name)
        const found = await orMissing(stat(path))
        if (found && found.mtimeMs < beforeMs) await rm(path, { force: true })
      }
    },
  }
  await spool.removeLeftOvers()
  return spool
}

interface Target {
  maxBytes: number | undefined
  owner: Owner | undefined
}

const writeFile = async (path: string, source: BlobSource, target: Target): Promise<StoredBlob> => {
  const { maxBytes = Infinity, owner } = target
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
    if (owner) await file.chown(owner.uid, owner.gid)
    await file.writeFile(measured())
    await file.sync()
  } finally {
    await file.close()
  }
  return { size, sha256: hash.digest('hex') }
}

const chunksOf = (source: BlobSource): Iterable<Uint8Array> | AsyncIterable<Uint8Array> =>
  source instanceof Uint8Array ? [source] : source

/** Undefined where there is no such file. */
export const orMissing = async <Found>(finding: Promise<Found>): Promise<Found | undefined> => {
  try {
    return await finding
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw problem
  }
}
