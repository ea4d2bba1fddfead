/**
 * What retrieval costs over 50,000 chunks × 384, each compared with its limit in alternating rounds: vector search with
 * bare usearch (≤ 2 times), BM25 with a plain tsquery ordered by `ts_rank` (≤ 1.5 times), indexing with a mock embedder
 * with bare batched inserts of the same rows (≥ 0.5). Prints how queries grow from 1,000 chunks on; a number as the last
 * argument continues to that many chunks.
 */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { exactSearch, MetricKind } from 'usearch'
import type { Db } from '../../server/src/kernel/db/database.ts'
import type { NewChunk } from '../../server/src/modules/knowledge/queries/chunks.ts'
import { replaceDocumentUnscoped } from '../../server/src/modules/knowledge/queries/chunks.ts'
import { insertVectorsUnscoped } from '../../server/src/modules/knowledge/queries/vectors.ts'
import { searchText } from '../../server/src/modules/knowledge/retrieval/full-text.ts'
import { createMemoryIndex } from '../../server/src/modules/knowledge/retrieval/memory-index.ts'
import { median } from '../lib/first-byte.ts'
import { insertCollection, insertFile, startKnowledgeDb } from '../lib/knowledge.ts'

const dimensions = 384
const chunksPerFile = 500
const engine = 'bench/mock'
const rounds = 30

/** The same numbers in every run. */
const createRandom = (start: number) => {
  let state = start
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}
const random = createRandom(7)

/** Frequent words are frequent: the n-th word is as likely as 1/n. */
const word = (): string => `w${Math.floor(30_000 ** random())}x`
const unitVector = (): Float32Array => {
  const vector = Float32Array.from({ length: dimensions }, () => random() - 0.5)
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

interface Given {
  chunk: NewChunk
  vector: Float32Array
}

const makeChunk = (): Given => {
  const text = Array.from({ length: 120 }, word).join(' ')
  const textHash = createHash('sha256').update(text).digest()
  return { chunk: { text, page: 1, heading: null, wordCount: 120, searchable: text, textHash }, vector: unitVector() }
}

const indexOurs = async (db: Db, fileId: string, given: readonly Given[]): Promise<void> => {
  const chunks = given.map(({ chunk }) => chunk)
  await db
    .transaction()
    .execute((tx) => replaceDocumentUnscoped(tx, { fileId, language: 'english', chunks, indexedAt: new Date() }))
  for (let at = 0; at < given.length; at += 32)
    await insertVectorsUnscoped(
      db,
      engine,
      given.slice(at, at + 32).map(({ chunk, vector }) => ({ textHash: chunk.textHash, vector })),
    )
}

/** The same columns and indexes, in two statements. */
const indexBare = async (db: Db, given: readonly Given[]): Promise<void> => {
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
  data: Float32Array[]
}

const fill = async ({ db, collectionId, data }: Bench, to: number): Promise<{ ours: number; bare: number }> => {
  const times = { ours: 0, bare: 0 }
  while (data.length < to) {
    const given = Array.from({ length: Math.min(chunksPerFile, to - data.length) }, makeChunk)
    const fileId = await insertFile(db, { name: 'bench.txt', collectionId })
    times.ours += await timed(() => indexOurs(db, fileId, given))
    times.bare += await timed(() => indexBare(db, given))
    data.push(...given.map(({ vector }) => vector))
  }
  await sql`analyze knowledge_chunks`.execute(db)
  return times
}

const measureQueries = async ({ db, collectionId, data }: Bench): Promise<void> => {
  const scope = { collectionIds: [collectionId], fileIds: [] }
  const index = createMemoryIndex()
  const matrix = new Float32Array(data.length * dimensions)
  for (const [row, vector] of data.entries()) matrix.set(vector, row * dimensions)
  const times: Record<'vectors' | 'bareVectors' | 'words' | 'bareWords', number[]> = {
    vectors: [],
    bareVectors: [],
    words: [],
    bareWords: [],
  }
  for (let round = -3; round < rounds; round += 1) {
    const vector = unitVector()
    const words = Array.from({ length: 6 }, () => `w${Math.floor(30_000 ** (0.3 + 0.7 * random()))}x`)
    const plain = sql`select id from knowledge_chunks, to_tsquery('english', ${words.join(' | ')}) as query
      where search @@ query and file_id in (select file_id from knowledge_files where collection_id = ${collectionId})
      order by ts_rank(search, query) desc limit 60`
    const taken = {
      vectors: await timed(() => index.search(db, scope, { engine, vector, limit: 60 })),
      bareVectors: await timed(() => exactSearch(matrix, vector, dimensions, 60, MetricKind.IP, 1)),
      words: await timed(() => searchText(db, scope, { query: words.join(' '), limit: 60 })),
      bareWords: await timed(() => plain.execute(db)),
    }
    if (round >= 0) for (const [name, value] of Object.entries(taken)) times[name as keyof typeof times].push(value)
  }
  const [vectors, bareVectors, words, bareWords] = [times.vectors, times.bareVectors, times.words, times.bareWords].map(
    median,
  ) as [number, number, number, number]
  console.log(
    `${String(data.length).padStart(7)} chunks   vectors ${vectors.toFixed(1)} ms, ${(vectors / bareVectors).toFixed(2)} times usearch (limit 2)` +
      `   BM25 ${words.toFixed(1)} ms, ${(words / bareWords).toFixed(2)} times tsquery (limit 1.5)`,
  )
}

export const run = async (): Promise<void> => {
  const { db, stop } = await startKnowledgeDb()
  const most = Number(process.argv.at(-1)) || 50_000
  try {
    await sql`create table bare_chunks (id bigint generated always as identity primary key, text text, hash bytea, search tsvector)`.execute(
      db,
    )
    await sql`create index on bare_chunks using gin (search) with (fastupdate = off)`.execute(db)
    await sql`create index on bare_chunks (hash)`.execute(db)
    await sql`create table bare_vectors (hash bytea primary key, vector bytea)`.execute(db)
    const bench: Bench = { db, collectionId: await insertCollection(db), data: [] }
    const total = { ours: 0, bare: 0 }
    for (const size of [1000, 10_000, 50_000, 200_000, 500_000].filter((one) => one <= most)) {
      const { ours, bare } = await fill(bench, size)
      total.ours += ours
      total.bare += bare
      await measureQueries(bench)
    }
    console.log(`indexing ${(total.bare / total.ours).toFixed(2)} of bare batched inserts (limit 0.5)`)
  } finally {
    await stop()
  }
}
