/**
 * Exact search over the vectors of a scope, which are kept in memory, each collection for itself. While the version stays
 * the same nothing is read; after a change only the files that have changed are. After a start, large collections are read
 * from their packs (`packs.ts`). Collections that don't fit are read from the tables each time.
 */

import type { Db } from '#kernel/db/database.ts'
import type { Log } from '#kernel/log.ts'
import { createConcurrencyLimit } from '#kernel/turns/concurrency-limit.ts'
import { listDocumentVersionsUnscoped, listVectorsOfUnscoped, readVersionUnscoped } from '../queries/vectors.ts'
import type { Scope } from '../scope.ts'
import type { Packs } from './packs.ts'
import { chunksOf, readSlices, refresh } from './read-vectors.ts'
import { createVectorCache } from './vector-cache.ts'
import {
  bytesOf,
  nearest,
  type Slice,
  searchSlices,
  sliceOf,
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
  /** Vectors that came from the tables since they were last saved. */
  unsaved: number
}

interface Loading {
  entry: Promise<Entry | undefined>
  /** Resolves once it is known that a question should not wait for it. */
  isLong: Promise<'long'>
}

interface Deps {
  log: Log
  packs: Packs
  /** The most memory for the copies of a node. */
  maxBytes: number
  /** A question doesn't wait for more vectors than these from the tables: they take a second. */
  longRows?: number | undefined
}

const usualLongRows = 20_000
/** A question waits as long for the disk, and for its turn among large collections. */
const patienceMs = 2000

/** The same for the same files, engine and length, in whichever order the files are named. */
export const keyOf = ({ collectionIds, fileIds }: Scope, { engine, vector }: VectorSearch): string =>
  JSON.stringify([engine, vector.length, collectionIds.toSorted(), fileIds.toSorted()])

export const createMemoryIndex = ({ log, packs, maxBytes, longRows = usualLongRows }: Deps): MemoryIndex => {
  const cache = createVectorCache<Entry>({ maxBytes })
  /** By key and version: questions that come while a part is read wait for the same reading. */
  const loading = new Map<string, Loading>()
  /** Each takes the memory of a slice, twice while it is made. */
  const fromTables = createConcurrencyLimit(1)

  const load = async (db: Db, part: Scope, { key, version, search, onLong }: Wanted): Promise<Entry | undefined> => {
    const documents = await listDocumentVersionsUnscoped(db, part)
    const bytes = (rows: number) => bytesOf(rows, search.vector.length)
    const rows = chunksOf(documents)
    if (bytes(rows) > maxBytes) {
      cache.drop(key)
      return undefined
    }
    const packed = packedOf(part, search)
    const isPacked = packed !== undefined && rows >= packs.leastRows
    const timer = rows > longRows ? setTimeout(onLong, patienceMs).unref() : undefined
    const read = async (take: () => Entry | undefined): Promise<Entry> => {
      let unsaved = 0
      const slices = await refresh(db, search, {
        documents,
        known: async () => {
          const known = take()
          unsaved = known?.unsaved ?? 0
          return known ?? (isPacked ? packs.load({ key: packed, documents }) : undefined)
        },
        onRead: (changed) => {
          unsaved += changed
          if (changed > longRows) onLong()
        },
      })
      const held = bytes(slices.reduce((sum, { ids }) => sum + ids.length, 0))
      return {
        version,
        files: new Map(documents.map((one) => [one.fileId, one.version])),
        slices,
        bytes: held,
        unsaved,
      }
    }
    const after = async (entry: Entry): Promise<void> => {
      if (!isPacked || entry.unsaved < packs.leastRows) return
      await packs.save({ key: packed, documents }, entry.slices)
      entry.unsaved = 0
    }
    return cache.load(key, bytes(rows), { read, after }).finally(() => clearTimeout(timer))
  }
  const startLoading = (db: Db, part: Scope, wanted: Omit<Wanted, 'onLong'>): Loading => {
    const long = Promise.withResolvers<'long'>()
    const entry = load(db, part, { ...wanted, onLong: () => long.resolve('long') })
    entry.catch((problem: unknown) => log.warn({ err: problem }, 'Vectors could not be read into memory.'))
    return { entry, isLong: long.promise }
  }
  /** Undefined while the vectors are still being read. */
  const searchPart = async (db: Db, part: Scope, search: VectorSearch): Promise<VectorHit[] | undefined> => {
    const key = keyOf(part, search)
    // Read before the vectors: what changes meanwhile is then read again at the next question.
    const version = await readVersionUnscoped(db, part)
    const known = cache.find(key, version)
    if (known) return searchSlices(known.slices, search)
    const loadKey = `${version} ${key}`
    const started = loading.get(loadKey) ?? startLoading(db, part, { key, version, search })
    if (!loading.has(loadKey)) {
      loading.set(loadKey, started)
      void started.entry.catch(() => undefined).finally(() => loading.delete(loadKey))
    }
    const entry = await (search.meanwhile ? Promise.race([started.entry, started.isLong]) : started.entry)
    if (entry === 'long') return undefined
    if (entry) return searchSlices(entry.slices, search)
    return fromTables(async () =>
      searchSlices(readSlices(db, await listDocumentVersionsUnscoped(db, part), search), search),
    )
  }
  return {
    search: async (db, scope, search) => {
      const hits: VectorHit[] = []
      let isWhole = true
      // One after the other, so that no more of them are in memory at once than the cache allows.
      for (const part of partsOf(scope)) {
        const found = await searchPart(db, part, search)
        hits.push(...(found ?? []))
        isWhole &&= found !== undefined
      }
      if (!isWhole) hits.push(...(await searchMeanwhile(db, search)))
      return nearest(hits, search.limit)
    },
  }
}

interface Wanted {
  key: string
  version: string
  search: VectorSearch
  onLong(): void
}

/** Each collection is in memory once, whichever others it is asked with. */
const partsOf = ({ collectionIds, fileIds }: Scope): Scope[] => [
  ...[...new Set(collectionIds)].map((id) => ({ collectionIds: [id], fileIds: [] })),
  ...(fileIds.length > 0 ? [{ collectionIds: [], fileIds }] : []),
]

/** Only collections are kept on the disk: which files a question names changes too often. */
const packedOf = ({ collectionIds: [collectionId] }: Scope, { engine, vector }: VectorSearch) =>
  collectionId === undefined ? undefined : { collectionId, engine, dimensions: vector.length }

const searchMeanwhile = async (db: Db, search: VectorSearch): Promise<VectorHit[]> => {
  const rows = await listVectorsOfUnscoped(db, search.engine, (await search.meanwhile?.()) ?? [])
  const comparable = rows.filter(({ vector }) => vector.length === search.vector.byteLength)
  return comparable.length === 0 ? [] : searchSlices([sliceOf(comparable, search.vector.length)], search)
}
