/**
 * A pack: a file with the vectors of some documents of a collection, so that a start needn't read them from the tables.
 * First a head that names the documents, then the ids of their chunks, then their vectors. The head and each document
 * have a checksum. A pack never changes, and has the same name on every server that writes the same.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import type { Slice } from './vector-slices.ts'

export interface PackedDocument {
  fileId: string
  version: number
  indexedAt: number
  rows: number
  checksum: number
}

export interface PackKey {
  collectionId: string
  engine: string
  dimensions: number
}

export interface Pack extends PackKey {
  path: string
  documents: readonly PackedDocument[]
  rows: number
  /** Where the ids begin; the vectors follow them. */
  idsAt: number
}

/** Rows of a slice, one after the other. */
export interface Run {
  slice: Slice
  from: number
  to: number
}

export type UnpackedDocument = Omit<PackedDocument, 'rows' | 'checksum'> & { runs: readonly Run[] }

export const magic = Buffer.from('CHNVEC01')
export const idBytes = 8
/** The magic, the length of the head and its checksum. */
export const prefixBytes = magic.length + 4 + 4

/** Where the rows of each file are. */
export const gatherRuns = (slices: readonly Slice[]): Map<string, Run[]> => {
  const runs = new Map<string, Run[]>()
  for (const slice of slices)
    for (let from = 0, to = 1; to <= slice.fileIds.length; to += 1) {
      const fileId = slice.fileIds[from] ?? ''
      if (slice.fileIds[to] === fileId) continue
      const known = runs.get(fileId)
      if (known) known.push({ slice, from, to })
      else runs.set(fileId, [{ slice, from, to }])
      from = to
    }
  return runs
}

/** As much is checked in about a millisecond. */
const bytesPerTurn = 2 * 1024 * 1024

/** Over the ids, then the vectors. Others get their turn, also between many small documents. */
export const createChecksum = (dimensions: number) => {
  let bytes = 0
  const add = async (piece: Uint8Array, sum: number): Promise<number> => {
    if (bytes > bytesPerTurn) {
      bytes = 0
      await nextTurn()
    }
    bytes += piece.length
    return crc32(piece, sum)
  }
  return async (runs: readonly Run[]): Promise<number> => {
    let sum = 0
    for (const run of runs) sum = await add(idsOf(run), sum)
    for (const run of runs) {
      const vectors = vectorsOf(run, dimensions)
      for (let at = 0; at < vectors.length; at += bytesPerTurn)
        sum = await add(vectors.subarray(at, at + bytesPerTurn), sum)
    }
    return sum
  }
}

export const idsOf = ({ slice, from, to }: Run): Uint8Array =>
  bytesOf(Float64Array.from(slice.ids.slice(from, to)), 0, to - from)

export const vectorsOf = ({ slice, from, to }: Run, dimensions: number): Uint8Array =>
  bytesOf(slice.data, from * dimensions, (to - from) * dimensions)

export const bytesOf = (numbers: Float32Array | Float64Array, from: number, count: number): Uint8Array =>
  new Uint8Array(
    numbers.buffer,
    numbers.byteOffset + from * numbers.BYTES_PER_ELEMENT,
    count * numbers.BYTES_PER_ELEMENT,
  )
