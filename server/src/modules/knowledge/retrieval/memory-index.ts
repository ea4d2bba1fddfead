/**
 * Exact search over the vectors of a scope, which are kept in memory. While the scope's version stays the same nothing is
 * read; after a change only the files that have changed are. Scopes that don't fit are read from the tables each time.
 */

import type { Db } from '#kernel/db/database.ts'
import { createConcurrencyLimit } from '#kernel/turns/concurrency-limit.ts'
import {
  type DocumentVersion,
  listDocumentVersionsUnscoped,
  listVectorsUnscoped,
  readVersionUnscoped,
  type StoredVector,
  type VectorRange,
} from '../queries/vectors.ts'
import type { Scope } from '../scope.ts'
import { createVectorCache } from './vector-cache.ts'
import {
  bytesOf,
  joinSmall,
  removeFiles,
  type Slice,
  searchSlices,
  sliceOf,
  sliceRows,
  type VectorHit,
  type VectorSearch,
} from './vector-slices.ts'

interface MemoryIndex {
  search(db: Db, scope: Scope, search: VectorSearch): Promise<VectorHit[]>
}

interface Entry {
  version: string
  /** The version of each file whose vectors are in the slices. */
  files: ReadonlyMap<string, number>
  slices: readonly Slice[]
  bytes: number
}

/** The same for the same files, engine and length, in whichever order the files are named. */
export const keyOf = ({ collectionIds, fileIds }: Scope, { engine, vector }: VectorSearch): string =>
  JSON.stringify([engine, vector.length, collectionIds.toSorted(), fileIds.toSorted()])

export const createMemoryIndex = ({ maxBytes }: { maxBytes: number }): MemoryIndex => {
  const cache = createVectorCache<Entry>({ maxBytes })
  /** By key and version: questions that come while a scope is read wait for the same reading. */
  const loading = new Map<string, Promise<Entry | undefined>>()
  /** Each takes the memory of a slice, twice while it is made. */
  const fromTables = createConcurrencyLimit(1)

  const load = async (db: Db, scope: Scope, { key, version, search }: Wanted): Promise<Entry | undefined> => {
    const documents = await listDocumentVersionsUnscoped(db, scope)
    const bytes = (rows: number) => bytesOf(rows, search.vector.length)
    const expected = bytes(documents.reduce((sum, { chunks }) => sum + chunks, 0))
    if (expected > maxBytes) {
      cache.drop(key)
      return undefined
    }
    return cache.load(key, expected, async (take) => {
      const slices = await refresh(db, { documents, search }, take)
      return {
        version,
        files: new Map(documents.map((one) => [one.fileId, one.version])),
        slices,
        bytes: bytes(slices.reduce((sum, { ids }) => sum + ids.length, 0)),
      }
    })
  }
  return {
    search: async (db, scope, search) => {
      const key = keyOf(scope, search)
      // Read before the vectors: what changes meanwhile is then read again at the next question.
      const version = await readVersionUnscoped(db, scope)
      const known = cache.find(key, version)
      if (known) return searchSlices(known.slices, search)
      const loadKey = `${version} ${key}`
      const started = loading.get(loadKey) ?? load(db, scope, { key, version, search })
      loading.set(loadKey, started)
      const entry = await started.finally(() => loading.delete(loadKey))
      if (entry) return searchSlices(entry.slices, search)
      return fromTables(async () =>
        searchSlices(readSlices(db, await listDocumentVersionsUnscoped(db, scope), search), search),
      )
    },
  }
}

interface Wanted {
  key: string
  version: string
  search: VectorSearch
}

const refresh = async (
  db: Db,
  { documents, search }: { documents: readonly DocumentVersion[]; search: VectorSearch },
  take: () => Entry | undefined,
): Promise<Slice[]> => {
  const { slices, stale, changed } = compare(take, documents)
  await removeFiles(slices, stale)
  for await (const slice of readSlices(db, changed, search)) slices.push(slice)
  return joinSmall(slices)
}

/** Keeps no reference to the entry, so that each old slice is freed once it is replaced. */
const compare = (take: () => Entry | undefined, documents: readonly DocumentVersion[]) => {
  const { files, slices } = take() ?? { files: new Map<string, number>(), slices: [] }
  const isSame = ({ fileId, version }: DocumentVersion) => files.get(fileId) === version
  const stale = new Set(files.keys())
  for (const { fileId } of documents.filter(isSame)) stale.delete(fileId)
  // A search that is under way goes through the entry's own array.
  return { slices: [...slices], stale, changed: documents.filter((one) => !isSame(one)) }
}

const maxRowsPerRead = 5000

async function* readSlices(
  db: Db,
  documents: readonly DocumentVersion[],
  { engine, vector }: VectorSearch,
): AsyncGenerator<Slice> {
  const rowsPerSlice = sliceRows(vector.length)
  let slice: StoredVector[] = []
  for (const read of readsOf(documents, Math.min(maxRowsPerRead, rowsPerSlice))) {
    const rows = await listVectorsUnscoped(db, engine, read)
    // An engine that was changed behind its name: vectors of another length cannot be compared.
    slice.push(...rows.filter((row) => row.vector.length === vector.byteLength))
    if (slice.length < rowsPerSlice) continue
    yield sliceOf(slice, vector.length)
    slice = []
  }
  if (slice.length > 0) yield sliceOf(slice, vector.length)
}

/** Several small files are read at once, and a large one in several pieces. */
function* readsOf(documents: readonly DocumentVersion[], rowsPerRead: number): Generator<VectorRange> {
  let fileIds: string[] = []
  let rows = 0
  for (const { fileId, chunks } of documents.filter((one) => one.chunks <= rowsPerRead)) {
    if (rows + chunks > rowsPerRead) {
      yield { fileIds, from: 0, to: rowsPerRead }
      fileIds = []
      rows = 0
    }
    fileIds.push(fileId)
    rows += chunks
  }
  if (fileIds.length > 0) yield { fileIds, from: 0, to: rowsPerRead }
  for (const { fileId, chunks } of documents.filter((one) => one.chunks > rowsPerRead))
    for (let from = 0; from < chunks; from += rowsPerRead) yield { fileIds: [fileId], from, to: from + rowsPerRead }
}
