/**
 * The cost of retrieval over 50,000 chunks × 384, each part compared with its limit in alternating rounds: vector
 * search with bare usearch (≤ 2 times), BM25 with a plain tsquery ordered by `ts_rank` (≤ 1.5 times), indexing with a
 * mock embedder with bare batched inserts of the same rows (≥ 0.5). Prints how queries grow from 1,000 to 500,000
 * chunks; a number as the last argument is the most.
 */
import { sql } from 'kysely'
import { exactSearch, MetricKind } from 'usearch'
import type { Db } from '../../server/src/kernel/db/database.ts'
import { storeIndex } from '../../server/src/modules/knowledge/chunks/index-file.ts'
import { insertVectorsUnscoped } from '../../server/src/modules/knowledge/queries/vectors.ts'
import { searchText } from '../../server/src/modules/knowledge/retrieval/full-text.ts'
import { median } from '../lib/first-byte.ts'
import { insertCollection, insertFile, openMemoryIndex, startKnowledgeDb } from '../lib/knowledge.ts'
import {
  chunksPerFile,
  dimensions,
  dropSearchIndex,
  engine,
  type MadeChunk,
  makeChunk,
  makeVector,
  random,
  storeQuickly,
} from '../lib/made-chunks.ts'

const indexOurs = async (db: Db, fileId: string, given: readonly MadeChunk[]): Promise<void> => {
  const chunks = given.map(({ chunk }) => chunk)
  await db
    .transaction()
    .execute((tx) => storeIndex(tx, { fileId, indexed: { language: 'english', chunks }, at: new Date() }))
  for (let at = 0; at < given.length; at += 32)
    await insertVectorsUnscoped(
      db,
      engine,
      given.slice(at, at + 32).map(({ chunk, vector }) => ({ textHash: chunk.textHash, vector })),
    )
}

/** The same columns and indexes, in two statements. */
const indexBare = async (db: Db, given: readonly MadeChunk[]): Promise<void> => {
  const texts = given.map(({ chunk }) => chunk.text)
  const hashes = given.map(({ chunk }) => chunk.textHash.toString('hex'))
  const vectors = given.map(({ vector }) => Buffer.from(vector.buffer).toString('hex'))
  await sql`insert into bare_chunks (text, hash, search) select text, decode(hash, 'hex'), to_tsvector('english', text)
    from unnest(${texts}::text[], ${hashes}::text[]) as given (text, hash)`.execute(db)
  await sql`insert into bare_vectors select decode(hash, 'hex'), decode(vector, 'hex')
    from unnest(${hashes}::text[], ${vectors}::text[]) as given (hash, vector)`.execute(db)
}

const timed = async (work: () => Promise<unknown> | unknown): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

interface Bench {
  db: Db
  collectionId: string
  /** The vectors so far, one after the other, for bare usearch. */
  matrix: Float32Array
  count: number
}

const makeChunks = (bench: Bench, wanted: number): MadeChunk[] => {
  const made = Array.from({ length: wanted }, makeChunk)
  for (const { vector } of made) {
    bench.matrix.set(vector, bench.count * dimensions)
    bench.count += 1
  }
  return made
}

/** The time that each way took for the same chunks. */
const indexBoth = async (bench: Bench, to: number): Promise<{ ours: number; bare: number }> => {
  const { db, collectionId } = bench
  const times = { ours: 0, bare: 0 }
  while (bench.count < to) {
    const made = makeChunks(bench, Math.min(chunksPerFile, to - bench.count))
    const fileId = await insertFile(db, { name: 'bench.txt', collectionId })
    times.ours += await timed(() => indexOurs(db, fileId, made))
    times.bare += await timed(() => indexBare(db, made))
  }
  await sql`analyze knowledge_chunks`.execute(db)
  return times
}

const chunksAtOnce = 10 * chunksPerFile
const connections = 2

const fillQuickly = async (bench: Bench, to: number): Promise<void> => {
  const { db, collectionId } = bench
  const startedAt = performance.now()
  const createIndex = await dropSearchIndex(db)
  const storing: Promise<void>[] = []
  while (bench.count < to) {
    const made = makeChunks(bench, Math.min(chunksAtOnce, to - bench.count))
    if (storing.length === connections) await storing.shift()
    storing.push(storeQuickly(db, collectionId, made))
  }
  await Promise.all(storing)
  await createIndex()
  await sql`vacuum analyze knowledge_chunks, knowledge_vectors, knowledge_documents, knowledge_files`.execute(db)
  console.log(`filled up to ${to} in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
}

const columns = ['vectors', 'bareVectors', 'words', 'bareWords'] as const

const measureQueries = async ({ db, collectionId, matrix, count }: Bench): Promise<void> => {
  const scope = { collectionIds: [collectionId], fileIds: [] }
  const index = openMemoryIndex()
  const all = matrix.subarray(0, count * dimensions)
  const times = {
    vectors: [] as number[],
    bareVectors: [] as number[],
    words: [] as number[],
    bareWords: [] as number[],
  }
  const first = await timed(() => index.search(db, scope, { engine, vector: makeVector(), limit: 60 }))
  const rounds = count > 100_000 ? 10 : 30
  for (let round = -2; round < rounds; round += 1) {
    const vector = makeVector()
    const words = Array.from({ length: 6 }, () => `w${Math.floor(30_000 ** (0.3 + 0.7 * random()))}x`)
    const plain = sql`select id from knowledge_chunks, to_tsquery('english', ${words.join(' | ')}) as query
      where search @@ query and file_id in (select file_id from knowledge_files where collection_id = ${collectionId})
      order by ts_rank(search, query) desc limit 60`
    const taken = {
      vectors: await timed(() => index.search(db, scope, { engine, vector, limit: 60 })),
      bareVectors: await timed(() => exactSearch(all, vector, dimensions, 60, MetricKind.IP, 1)),
      words: await timed(() => searchText(db, scope, { query: words.join(' '), limit: 60 })),
      bareWords: await timed(() => plain.execute(db)),
    }
    if (round >= 0) for (const name of columns) times[name].push(taken[name])
  }
  const [vectors, bareVectors, words, bareWords] = columns.map((name) => median(times[name])) as [
    number,
    number,
    number,
    number,
  ]
  console.log(
    `${String(count).padStart(7)} chunks   vectors ${vectors.toFixed(1)} ms, ${(vectors / bareVectors).toFixed(2)} times usearch (limit 2), first ${first.toFixed(0)} ms` +
      `   BM25 ${words.toFixed(1)} ms, ${(words / bareWords).toFixed(2)} times tsquery (limit 1.5)`,
  )
}

const sizes = [1000, 10_000, 50_000, 500_000]
/** Indexing is compared up to here. */
const indexedBoth = 50_000

export const run = async (): Promise<void> => {
  const { db, stop } = await startKnowledgeDb()
  const most = Number(process.argv.at(-1)) || Math.max(...sizes)
  try {
    await sql`create table bare_chunks (id bigint generated always as identity primary key, text text, hash bytea, search tsvector)`.execute(
      db,
    )
    await sql`create index on bare_chunks using gin (search) with (fastupdate = off)`.execute(db)
    await sql`create index on bare_chunks (hash)`.execute(db)
    await sql`create table bare_vectors (hash bytea primary key, vector bytea)`.execute(db)
    const bench: Bench = {
      db,
      collectionId: await insertCollection(db),
      matrix: new Float32Array(most * dimensions),
      count: 0,
    }
    const total = { ours: 0, bare: 0 }
    for (const size of sizes.filter((one) => one <= most)) {
      if (size <= indexedBoth) {
        const { ours, bare } = await indexBoth(bench, size)
        total.ours += ours
        total.bare += bare
      } else await fillQuickly(bench, size)
      await measureQueries(bench)
    }
    console.log(`indexing ${(total.bare / total.ours).toFixed(2)} of bare batched inserts (limit 0.5)`)
  } finally {
    await stop()
  }
}
