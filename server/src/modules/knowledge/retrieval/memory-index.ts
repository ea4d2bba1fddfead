/**
 * Exact search over the vectors of a scope. They are read from the tables, kept in memory while the scope's version
 * stays the same, and compared with SIMD instructions in slices, so that other requests get their turn in between.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { exactSearch, MetricKind } from 'usearch'
import type { Db } from '#kernel/db/database.ts'
import { listVectorsUnscoped, readVersionUnscoped, type StoredVector } from '../queries/vectors.ts'
import type { Scope } from './scope.ts'

export interface VectorHit {
  id: number
  /** The cosine: 1 is the same direction. */
  score: number
}

export interface VectorSearch {
  engine: string
  vector: Float32Array
  limit: number
}

interface MemoryIndex {
  search(db: Db, scope: Scope, search: VectorSearch): Promise<VectorHit[]>
}

interface Slice {
  ids: number[]
  data: Float32Array
}

interface Entry {
  version: string
  slices: Slice[]
  bytes: number
}

/** The same for the same files, engine and length, in whichever order the files are named. */
export const keyOf = ({ collectionIds, fileIds }: Scope, { engine, vector }: VectorSearch): string =>
  JSON.stringify([engine, vector.length, collectionIds.toSorted(), fileIds.toSorted()])

const sliceRows = 20_000
const rowsPerRead = 5000
const maxBytes = 384 * 1024 * 1024

export const createMemoryIndex = (): MemoryIndex => {
  const entries = new Map<string, Entry>()
  let totalBytes = 0

  const drop = (key: string): void => {
    totalBytes -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }
  /** The least recently used go first. */
  const keep = (key: string, entry: Entry): void => {
    drop(key)
    if (entry.bytes > maxBytes) return
    entries.set(key, entry)
    totalBytes += entry.bytes
    for (const oldest of entries.keys()) {
      if (totalBytes <= maxBytes) return
      if (oldest !== key) drop(oldest)
    }
  }
  return {
    search: async (db, scope, search) => {
      const key = keyOf(scope, search)
      const version = await readVersionUnscoped(db, scope)
      const known = entries.get(key)
      if (known?.version === version) {
        entries.delete(key)
        entries.set(key, known)
        return searchSlices(known.slices, search)
      }
      const loaded: Entry = { version, slices: [], bytes: 0 }
      const hits: VectorHit[] = []
      for await (const slice of readSlices(db, scope, search)) {
        hits.push(...searchSlice(slice, search))
        loaded.bytes += slice.data.byteLength + slice.ids.length * 8
        if (loaded.bytes <= maxBytes) loaded.slices.push(slice)
      }
      keep(key, loaded)
      return nearest(hits, search.limit)
    },
  }
}

async function* readSlices(db: Db, scope: Scope, { engine, vector }: VectorSearch): AsyncGenerator<Slice> {
  let after = 0
  let slice: StoredVector[] = []
  for (;;) {
    const rows = await listVectorsUnscoped(db, scope, { engine, after, limit: rowsPerRead })
    // An engine that was changed behind its name: vectors of another length cannot be compared.
    slice.push(...rows.filter((row) => row.vector.length === vector.byteLength))
    after = rows.at(-1)?.id ?? after
    const isLast = rows.length < rowsPerRead
    if (slice.length >= sliceRows || (isLast && slice.length > 0)) {
      yield sliceOf(slice, vector.length)
      slice = []
    }
    if (isLast) return
  }
}

const sliceOf = (rows: readonly StoredVector[], dimensions: number): Slice => {
  const data = new Float32Array(rows.length * dimensions)
  const bytes = Buffer.from(data.buffer)
  for (const [index, { vector }] of rows.entries()) vector.copy(bytes, index * dimensions * 4)
  return { ids: rows.map(({ id }) => id), data }
}

const searchSlices = async (slices: readonly Slice[], search: VectorSearch): Promise<VectorHit[]> => {
  const hits: VectorHit[] = []
  for (const [index, slice] of slices.entries()) {
    if (index > 0) await nextTurn()
    hits.push(...searchSlice(slice, search))
  }
  return nearest(hits, search.limit)
}

const searchSlice = ({ ids, data }: Slice, { vector, limit }: VectorSearch): VectorHit[] => {
  const count = Math.min(limit, ids.length)
  const { keys, distances } = exactSearch(data, vector, vector.length, count, MetricKind.IP, 1)
  return [...keys].map((key, index) => ({ id: ids[Number(key)] ?? 0, score: 1 - (distances[index] ?? 1) }))
}

const nearest = (hits: readonly VectorHit[], limit: number): VectorHit[] =>
  hits.toSorted((one, other) => other.score - one.score || one.id - other.id).slice(0, limit)
