/**
 * BlobStore in a folder: `<root>/<shard>/<key>`, where the shard spreads the files over 256 folders.
 * A blob is written beside them in `tmp`, synced, and renamed into place; so a crash leaves the old blob or the new one,
 * and at most a file in `tmp`, which is removed a day later.
 */
import { createHash } from 'node:crypto'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Clock } from '../clock.ts'
import { AppError } from '../errors.ts'
import { assertBlobKey, assertRange, type BlobStore, type ByteRange, type OpenBlob } from './blob-store.ts'
import { makeFolder } from './owner.ts'
import { openSpool, orMissing } from './spool.ts'

interface Options {
  folder: string
  clock: Clock
}

export const createFolderStore = async ({ folder: root, clock }: Options): Promise<BlobStore> => {
  const spool = await openSpool(root, clock)
  const pathOf = (key: string) => blobPath(root, key)

  return {
    async put(key, source, { maxBytes } = {}) {
      const path = pathOf(key)
      return spool.write(source, maxBytes, (temporary) => moveInto(temporary, path))
    },
    get: async (key, range) => openFile(pathOf(key), range),
    exists: async (key) => (await orMissing(stat(pathOf(key)))) !== undefined,
    delete: async (key) => rm(pathOf(key), { force: true }),
    removeLeftOvers: () => spool.removeLeftOvers(),
    ping: async () => undefined,
    close: async () => undefined,
  }
}

/** Keys hold no underscore, so two keys never share a file, nor can one key's file be another's folder. */
const blobPath = (root: string, key: string): string => {
  assertBlobKey(key)
  const shard = createHash('sha256').update(key).digest('hex').slice(0, 2)
  return join(root, shard, key.replaceAll('/', '_'))
}

const moveInto = async (temporary: string, path: string): Promise<void> => {
  const shard = dirname(path)
  if (await makeFolder(shard)) await syncFolder(dirname(shard))
  await rename(temporary, path)
  await syncFolder(shard)
}

/** Without it a power cut may forget the name of a file whose bytes are safe. */
const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

const openFile = async (path: string, range?: ByteRange): Promise<OpenBlob | undefined> => {
  if (range) assertRange(range)
  const file = await orMissing(open(path, 'r'))
  if (!file) return undefined
  try {
    const { size } = await file.stat()
    if (range && range.start >= size) throw new AppError('range_not_satisfiable')
    return { stream: file.createReadStream({ start: range?.start ?? 0, end: range?.end ?? Infinity }), size }
  } catch (problem) {
    await file.close()
    throw problem
  }
}
