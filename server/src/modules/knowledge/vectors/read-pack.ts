/** Reads packs. A file that is cut, changed or not ours at all is a `BrokenPack`. */
import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { parseOwn } from '#kernel/json/parse-own.ts'
import {
  bytesOf,
  createChecksum,
  gatherRuns,
  idBytes,
  magic,
  type Pack,
  type PackedDocument,
  type PackKey,
  prefixBytes,
} from './pack-format.ts'
import type { Slice } from './vector-slices.ts'

export class BrokenPack extends Error {}

const maxHeadBytes = 16 * 1024 * 1024

export const readHead = async (path: string): Promise<Pack> => {
  await using file = await open(path)
  const prefix = await readExactly(file, Buffer.alloc(prefixBytes), 0)
  const headBytes = prefix.readUInt32LE(magic.length)
  if (!prefix.subarray(0, magic.length).equals(magic) || headBytes > maxHeadBytes) throw new BrokenPack()
  const head = await readExactly(file, Buffer.allocUnsafe(headBytes), prefixBytes)
  if (crc32(head) !== prefix.readUInt32LE(magic.length + 4)) throw new BrokenPack()
  const { documents, ...key } = parseOwn(head.toString()) as PackKey & { documents: PackedDocument[] }
  const rows = documents.reduce((sum, one) => sum + one.rows, 0)
  const idsAt = prefixBytes + headBytes
  if ((await file.stat()).size !== idsAt + rows * (idBytes + key.dimensions * 4)) throw new BrokenPack()
  return { ...key, path, documents, rows, idsAt }
}

const readExactly = async <Bytes extends Uint8Array>(file: FileHandle, bytes: Bytes, position: number) => {
  for (let done = 0; done < bytes.byteLength; ) {
    const { bytesRead } = await file.read(bytes, done, bytes.byteLength - done, position + done)
    if (bytesRead === 0) throw new BrokenPack()
    done += bytesRead
  }
  return bytes
}

/** The vectors of the wanted documents, in slices of at most so many rows. */
export const readRows = async (pack: Pack, wanted: ReadonlySet<string>, rowsPerSlice: number): Promise<Slice[]> => {
  await using file = await open(pack.path)
  const found = [...withPositions(pack.documents)].filter(({ fileId }) => wanted.has(fileId))
  const slices: Slice[] = []
  for (const ranges of cut(found, rowsPerSlice)) slices.push(await readSlice(file, pack, ranges))
  await verify(found, slices, pack.dimensions)
  return slices
}

interface Range {
  fileId: string
  from: number
  to: number
}

function* withPositions(documents: readonly PackedDocument[]): Generator<PackedDocument & Range> {
  let from = 0
  for (const document of documents) {
    yield { ...document, from, to: from + document.rows }
    from += document.rows
  }
}

/** A document can be larger than a slice. */
function* cut(found: readonly Range[], rowsPerSlice: number): Generator<Range[]> {
  let ranges: Range[] = []
  let room = rowsPerSlice
  for (const { fileId, ...range } of found)
    for (let { from } = range; from < range.to; ) {
      const to = Math.min(range.to, from + room)
      ranges.push({ fileId, from, to })
      room -= to - from
      from = to
      if (room > 0) continue
      yield ranges
      ranges = []
      room = rowsPerSlice
    }
  if (ranges.length > 0) yield ranges
}

const readSlice = async (file: FileHandle, pack: Pack, ranges: readonly Range[]): Promise<Slice> => {
  const rows = ranges.reduce((sum, { from, to }) => sum + to - from, 0)
  const [ids, data] = [new Float64Array(rows), new Float32Array(rows * pack.dimensions)]
  const rowBytes = pack.dimensions * 4
  const vectorsAt = pack.idsAt + pack.rows * idBytes
  let row = 0
  for (const { from, to } of joined(ranges)) {
    const count = to - from
    await readExactly(file, bytesOf(ids, row, count), pack.idsAt + from * idBytes)
    await readExactly(file, bytesOf(data, row * pack.dimensions, count * pack.dimensions), vectorsAt + from * rowBytes)
    row += count
  }
  return {
    ids: [...ids],
    fileIds: ranges.flatMap(({ fileId, from, to }) => Array<string>(to - from).fill(fileId)),
    data,
  }
}

/** What follows each other in the file is read at once. */
const joined = (ranges: readonly Range[]): Omit<Range, 'fileId'>[] => {
  const all: Omit<Range, 'fileId'>[] = []
  for (const { from, to } of ranges) {
    const last = all.at(-1)
    if (last?.to === from) last.to = to
    else all.push({ from, to })
  }
  return all
}

const verify = async (
  documents: readonly PackedDocument[],
  slices: readonly Slice[],
  dimensions: number,
): Promise<void> => {
  const runs = gatherRuns(slices)
  const checksumOf = createChecksum(dimensions)
  for (const { fileId, checksum } of documents)
    if ((await checksumOf(runs.get(fileId) ?? [])) !== checksum) throw new BrokenPack()
}
