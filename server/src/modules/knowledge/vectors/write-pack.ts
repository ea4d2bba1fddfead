/** Writes packs. */
import { createHash } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { randomToken } from '#kernel/crypto/tokens.ts'
import {
  createChecksum,
  idsOf,
  magic,
  type PackedDocument,
  type PackKey,
  prefixBytes,
  type UnpackedDocument,
  vectorsOf,
} from './pack-format.ts'

export const packEnding = '.pack'
export const unfinishedEnding = '.new'

/** The most pieces that go to the disk with one call. */
const piecesPerWrite = 256

/** Returns where it is. Complete or not there: a crash leaves a file with another ending, which the sweep deletes. */
export const writePack = async (
  folder: string,
  { collectionId, engine, dimensions }: PackKey,
  unpacked: readonly UnpackedDocument[],
): Promise<string> => {
  const checksumOf = createChecksum(dimensions)
  const documents: PackedDocument[] = []
  for (const { runs, ...document } of unpacked) {
    const rows = runs.reduce((sum, { from, to }) => sum + to - from, 0)
    documents.push({ ...document, rows, checksum: await checksumOf(runs) })
  }
  const head = Buffer.from(JSON.stringify({ collectionId, engine, dimensions, documents }))
  const prefix = Buffer.alloc(prefixBytes)
  magic.copy(prefix)
  prefix.writeUInt32LE(head.length, magic.length)
  prefix.writeUInt32LE(crc32(head), magic.length + 4)
  const runs = unpacked.flatMap((document) => document.runs)
  const pieces = [prefix, head, ...runs.map(idsOf), ...runs.map((run) => vectorsOf(run, dimensions))]
  const path = join(folder, createHash('sha256').update(head).digest('hex').slice(0, 32) + packEnding)
  const unfinished = join(folder, randomToken(16) + unfinishedEnding)
  try {
    await using file = await open(unfinished, 'wx', 0o600)
    for (let at = 0; at < pieces.length; at += piecesPerWrite)
      await writeAll(file, pieces.slice(at, at + piecesPerWrite))
    await file.datasync()
    await rename(unfinished, path)
    return path
  } catch (problem) {
    await rm(unfinished, { force: true })
    throw problem
  }
}

const writeAll = async (file: FileHandle, pieces: readonly Uint8Array[]): Promise<void> => {
  const { bytesWritten } = await file.writev([...pieces])
  if (bytesWritten !== pieces.reduce((sum, { length }) => sum + length, 0)) throw new Error('The disk is full.')
}
