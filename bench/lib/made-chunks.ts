/** Chunks of made-up text with made-up vectors, the same in every run, and a quick way to store many of them. */
import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../server/src/kernel/db/database.ts'
import { normalised } from '../../server/src/modules/knowledge/embeddings/engine.ts'
import type { NewChunk } from '../../server/src/modules/knowledge/queries/chunks.ts'

export const dimensions = 384
export const engine = 'bench/mock'
export const chunksPerFile = 500
const wordsPerChunk = 120

export interface MadeChunk {
  chunk: NewChunk
  vector: Float32Array
}

const createRandom = (start: number) => {
  let state = start
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}
export const random = createRandom(7)

const poolSize = 65_536
const somewhere = (): number => Math.floor(random() * poolSize)

/** Frequent words are frequent: the n-th word is as likely as 1/n. */
const words = Array.from({ length: poolSize }, () => `w${Math.floor(30_000 ** random())}x`)
const numbers = Float32Array.from({ length: poolSize + dimensions }, () => random() - 0.5)

/** The sum of two stretches of the numbers: no two are alike, and half a million are made in seconds. */
export const makeVector = (): Float32Array => {
  const [one, other] = [somewhere(), somewhere()]
  const sum = numbers.slice(one, one + dimensions)
  for (let index = 0; index < dimensions; index += 1) sum[index] = (sum[index] ?? 0) + (numbers[other + index] ?? 0)
  return normalised(sum)
}

export const makeChunk = (): MadeChunk => {
  const text = Array.from({ length: wordsPerChunk }, () => words[somewhere()]).join(' ')
  const textHash = createHash('sha256').update(text).digest()
  const chunk = { text, page: 1, heading: null, wordCount: wordsPerChunk, searchable: text, textHash }
  return { chunk, vector: makeVector() }
}

/**
 * Stores chunks as files of a collection without what makes indexing durable and incremental. Meant to run between
 * `dropSearchIndex` and the function that it returns: an index that is made at once takes a tenth of the time.
 */
export const storeQuickly = async (db: Db, collectionId: string, made: readonly MadeChunk[]): Promise<void> => {
  const files = Array.from({ length: Math.ceil(made.length / chunksPerFile) }, () => randomUUID())
  const texts = made.map(({ chunk }) => chunk.text)
  const hashes = made.map(({ chunk }) => chunk.textHash.toString('hex'))
  const vectors = made.map(({ vector }) => Buffer.from(vector.buffer).toString('hex'))
  await db.transaction().execute(async (tx) => {
    await sql`set local synchronous_commit = off`.execute(tx)
    await sql`insert into files (id, owner_kind, owner_id, name, content_type, size, sha256, blob_key, state, created_at, updated_at)
      select id, 'user', id, 'bench.txt', 'text/plain', 1, '', id, 'completed', now(), now() from unnest(${files}::uuid[]) as id`.execute(
      tx,
    )
    await sql`insert into knowledge_chunks (file_id, position, text, page, word_count, text_hash, search)
      select (${files}::uuid[])[1 + (n - 1) / ${sql.lit(chunksPerFile)}], (n - 1) % ${sql.lit(chunksPerFile)}, text, 1,
        ${sql.lit(wordsPerChunk)}, decode(hash, 'hex'), to_tsvector('english', text)
      from unnest(${texts}::text[], ${hashes}::text[]) with ordinality as given (text, hash, n)`.execute(tx)
    await sql`insert into knowledge_documents (file_id, language, chunk_count, word_count, terms_version, indexed_at)
      select file_id, 'english', count(*), sum(word_count), 2, now() from knowledge_chunks
      where file_id = any(${files}::uuid[]) group by file_id`.execute(tx)
    await sql`insert into knowledge_vectors select ${engine}, decode(hash, 'hex'), decode(vector, 'hex')
      from unnest(${hashes}::text[], ${vectors}::text[]) as given (hash, vector)`.execute(tx)
    // Last, since it locks the collection until the end.
    await sql`insert into knowledge_files (collection_id, file_id, added_at)
      select ${collectionId}, id, now() from unnest(${files}::uuid[]) as id`.execute(tx)
  })
}

/** Returns what makes the index of full-text search again. */
export const dropSearchIndex = async (db: Db): Promise<() => Promise<void>> => {
  const { rows } = await sql<{ definition: string }>`
    select indexdef as definition from pg_indexes where indexname = 'knowledge_chunks_search'`.execute(db)
  await sql`drop index knowledge_chunks_search`.execute(db)
  return () =>
    db.connection().execute(async (one) => {
      await sql`set maintenance_work_mem = '1GB'`.execute(one)
      await sql.raw(rows[0]?.definition ?? '').execute(one)
    })
}
