/**
 * Vectors one after the other in memory, in slices that are searched exactly with SIMD instructions. A slice never
 * changes once it is made, so that a search that is under way isn't disturbed.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { exactSearch, MetricKind } from 'usearch'
import type { StoredVector } from '../queries/vectors.ts'

export interface VectorHit {
  id: number
  /** The cosine: 1 is the same direction. */
  score: number
}

export interface VectorSearch {
  engine: string
  vector: Float32Array
  limit: number
  /** The chunks to compare with where reading all vectors takes too long. Without it the question waits. */
  meanwhile?: () => Promise<readonly number[]>
}

/** The n-th of each belong together: a chunk, its file, its vector. */
export interface Slice {
  ids: readonly number[]
  fileIds: readonly string[]
  data: Float32Array
}

/** As much as is compared in about 5 ms: other requests get their turn between two slices. */
const sliceBytes = 30_720_000
const maxRows = 20_000

export const sliceRows = (dimensions: number): number =>
  Math.max(1, Math.min(maxRows, Math.floor(sliceBytes / (dimensions * 4))))

/** The memory of a row: its numbers, its id and the reference to its file. */
export const bytesOf = (rows: number, dimensions: number): number => rows * (dimensions * 4 + 16)

export const sliceOf = (rows: readonly StoredVector[], dimensions: number): Slice => {
  const data = new Float32Array(rows.length * dimensions)
  const bytes = Buffer.from(data.buffer)
  for (const [index, { vector }] of rows.entries()) vector.copy(bytes, index * dimensions * 4)
  // Each row came with its own copy of the file's id.
  const known = new Map(rows.map(({ fileId }) => [fileId, fileId]))
  return { ids: rows.map(({ id }) => id), fileIds: rows.map(({ fileId }) => known.get(fileId) ?? fileId), data }
}

/** The same slice where none of its rows belong to these files. */
const withoutFiles = (slice: Slice, gone: ReadonlySet<string>): Slice => {
  if (!slice.fileIds.some((id) => gone.has(id))) return slice
  const kept = [...slice.fileIds.keys()].filter((row) => !gone.has(slice.fileIds[row] ?? ''))
  const dimensions = slice.data.length / slice.ids.length
  const data = new Float32Array(kept.length * dimensions)
  for (const [to, from] of kept.entries())
    data.set(slice.data.subarray(from * dimensions, (from + 1) * dimensions), to * dimensions)
  return {
    ids: kept.map((row) => slice.ids[row] ?? 0),
    fileIds: kept.map((row) => slice.fileIds[row] ?? ''),
    data,
  }
}

/** Replaces the slices that hold rows of these files, one per turn: a change of many files can touch all of them. */
export const removeFiles = async (slices: Slice[], gone: ReadonlySet<string>): Promise<void> => {
  for (const [index, slice] of slices.entries()) {
    const left = withoutFiles(slice, gone)
    if (left === slice) continue
    slices[index] = left
    await nextTurn()
  }
}

/** Joins slices that have become small, and leaves out empty ones: each costs a call. */
export const joinSmall = async (slices: readonly Slice[]): Promise<Slice[]> => {
  const joined: Slice[] = []
  let small: Slice[] = []
  const flush = async () => {
    const [only, ...more] = small
    if (only) joined.push(more.length === 0 ? only : joinAll(small))
    if (more.length > 0) await nextTurn()
    small = []
  }
  for (const slice of slices.filter(({ ids }) => ids.length > 0)) {
    const leastRows = sliceRows(slice.data.length / slice.ids.length) / 2
    if (slice.ids.length >= leastRows) joined.push(slice)
    else small.push(slice)
    if (small.reduce((sum, { ids }) => sum + ids.length, 0) >= leastRows) await flush()
  }
  await flush()
  return joined
}

const joinAll = (slices: readonly Slice[]): Slice => {
  const data = new Float32Array(slices.reduce((sum, one) => sum + one.data.length, 0))
  let at = 0
  for (const one of slices) {
    data.set(one.data, at)
    at += one.data.length
  }
  return { ids: slices.flatMap(({ ids }) => ids), fileIds: slices.flatMap(({ fileIds }) => fileIds), data }
}

export const searchSlices = async (
  slices: Iterable<Slice> | AsyncIterable<Slice>,
  search: VectorSearch,
): Promise<VectorHit[]> => {
  let hits: VectorHit[] = []
  let isFirst = true
  for await (const slice of slices) {
    if (!isFirst) await nextTurn()
    isFirst = false
    hits = nearest([...hits, ...searchSlice(slice, search)], search.limit)
  }
  return hits
}

const searchSlice = ({ ids, data }: Slice, { vector, limit }: VectorSearch): VectorHit[] => {
  const count = Math.min(limit, ids.length)
  const { keys, distances } = exactSearch(data, vector, vector.length, count, MetricKind.IP, 1)
  return [...keys].map((key, index) => ({ id: ids[Number(key)] ?? 0, score: 1 - (distances[index] ?? 1) }))
}

/** Each once: a file can be in two collections. */
export const nearest = (hits: readonly VectorHit[], limit: number): VectorHit[] =>
  [...new Map(hits.map((hit) => [hit.id, hit])).values()]
    .toSorted((one, other) => other.score - one.score || one.id - other.id)
    .slice(0, limit)
