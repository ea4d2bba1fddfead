/** SQL for vectors: which texts still lack one, and the vectors of a scope. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { prepared } from '#kernel/db/prepared.ts'
import type { Scope } from '../scope.ts'
import { inScope } from './search.ts'

export interface Unembedded {
  textHash: Buffer
  text: string
  heading: string | null
}

/** Texts of a file that have no vector of this engine yet, each once, in their order. */
export const listUnembeddedUnscoped = async (
  db: Db,
  engine: string,
  { fileId, limit }: { fileId: string; limit: number },
): Promise<Unembedded[]> => {
  const { rows } = await sql<Unembedded>`
    select min(position) as position, text_hash as "textHash", min(text) as text, min(heading) as heading
    from knowledge_chunks c
    where file_id = ${fileId} and not exists (select from knowledge_vectors v where v.engine = ${engine} and v.text_hash = c.text_hash)
    group by text_hash order by 1 limit ${limit}`.execute(db)
  return rows
}

/** True when there are vectors of any other engine. By the two neighbours in the index, however many there are. */
export const hasOtherVectorsUnscoped = async (db: Db, engine: string): Promise<boolean> => {
  const { rows } = await sql`
    (select 1 from knowledge_vectors where engine < ${engine} limit 1)
    union all (select 1 from knowledge_vectors where engine > ${engine} limit 1)`.execute(db)
  return rows.length > 0
}

export const countVectorsUnscoped = async (db: Db): Promise<{ engine: string; count: number }[]> => {
  const { rows } = await sql<{ engine: string; count: number }>`
    select engine, count(*)::int8 as count from knowledge_vectors group by engine`.execute(db)
  return rows
}

/** Counts the chunks of a file that have a vector of this engine. */
export const countEmbeddedUnscoped = async (db: Db, engine: string, fileId: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int8 as count from knowledge_chunks c join knowledge_vectors v on v.engine = ${engine} and v.text_hash = c.text_hash
    where c.file_id = ${fileId}`.execute(db)
  return rows[0]?.count ?? 0
}

/** True when a document has texts without a vector of this engine. */
const lacksVectors = (engine: string) => sql<boolean>`exists (
  select from knowledge_chunks c where c.file_id = d.file_id
    and not exists (select from knowledge_vectors v where v.engine = ${engine} and v.text_hash = c.text_hash))`

/** Files that still have such texts, in the order of their ids. */
export const listFilesToEmbedUnscoped = async (
  db: Db,
  engine: string,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<string[]> => {
  const { rows } = await sql<{ fileId: string }>`
    select file_id as "fileId" from knowledge_documents d
    where ${after === undefined ? sql`true` : sql`file_id > ${after}`} and ${lacksVectors(engine)}
    order by file_id limit ${limit}`.execute(db)
  return rows.map(({ fileId }) => fileId)
}

/** True when one of them can be embedded now: those whose owner's budget is spent can't. */
export const canEmbedMoreUnscoped = async (db: Db, engine: string): Promise<boolean> => {
  const { rows } = await sql`
    select from knowledge_documents d
    where unpaid_engine is distinct from ${engine} and ${lacksVectors(engine)} limit 1`.execute(db)
  return rows.length > 0
}

/**
 * True when most owners wait for a budget with most of what they have. Counted by owner, not by chunks: one tenant that
 * uploads more than all others together decides nothing for them.
 */
export const isMostUnpaidUnscoped = async (db: Db, engine: string): Promise<boolean> => {
  const { rows } = await sql<{ isMost: boolean }>`
    select count(*) filter (where unpaid * 2 > chunks) * 2 > count(*) as "isMost"
    from (
      select sum(chunk_count) as chunks,
        coalesce(sum(chunk_count) filter (where unpaid_engine = ${engine} and ${lacksVectors(engine)}), 0) as unpaid
      from knowledge_documents d join files f on f.id = d.file_id
      group by coalesce(f.organization_id, f.owner_id)
    ) owners`.execute(db)
  return rows[0]?.isMost ?? false
}

/** Returns how many were not marked before. Locked in one order, like everywhere. */
export const markUnpaidUnscoped = async (db: Db, engine: string, fileIds: readonly string[]): Promise<number> => {
  if (fileIds.length === 0) return 0
  const { numAffectedRows = 0n } = await sql`
    with unmarked as (
      select file_id from knowledge_documents
      where file_id = any(${fileIds}::uuid[]) and unpaid_engine is distinct from ${engine}
      order by file_id for no key update
    ) update knowledge_documents d set unpaid_engine = ${engine} from unmarked where d.file_id = unmarked.file_id`.execute(
    db,
  )
  return Number(numAffectedRows)
}

export const clearUnpaidUnscoped = (db: Db, fileId: string): Promise<unknown> =>
  sql`update knowledge_documents set unpaid_engine = null where file_id = ${fileId} and unpaid_engine is not null`.execute(
    db,
  )

/** The files that hold one of the texts. */
export const listFilesOfTextsUnscoped = async (db: Db, textHashes: readonly Buffer[]): Promise<string[]> => {
  const hashes = textHashes.map((hash) => hash.toString('hex'))
  const { rows } = await sql<{ fileId: string }>`
    select distinct file_id as "fileId" from knowledge_chunks
    where text_hash in (select decode(hash, 'hex') from unnest(${hashes}::text[]) as hash)`.execute(db)
  return rows.map(({ fileId }) => fileId)
}

export const insertVectorsUnscoped = async (
  db: Db,
  engine: string,
  vectors: readonly { textHash: Buffer; vector: Float32Array }[],
): Promise<void> => {
  if (vectors.length === 0) return
  await db
    .insertInto('knowledgeVectors')
    .values(vectors.map(({ textHash, vector }) => ({ engine, textHash, vector: bytesOf(vector) })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

export interface DocumentVersion {
  fileId: string
  /** Changes with its chunks and their vectors. */
  version: number
  /** In microseconds. With the version it tells apart what a restored database counts again. */
  indexedAt: number
  chunks: number
}

export const listDocumentVersionsUnscoped = async (db: Db, scope: Scope): Promise<DocumentVersion[]> => {
  const { rows } = await sql<DocumentVersion>`
    select file_id as "fileId", version, (extract(epoch from indexed_at) * 1000000)::int8 as "indexedAt",
      chunk_count as chunks from knowledge_documents
    where ${inScope(scope, sql`file_id`)} order by file_id`.execute(db)
  return rows
}

export interface StoredVector {
  id: number
  fileId: string
  vector: Buffer
}

/** Chunks of some files, by their position in the file. */
export interface VectorRange {
  fileIds: readonly string[]
  from: number
  to: number
}

export const listVectorsUnscoped = async (
  db: Db,
  engine: string,
  { fileIds, from, to }: VectorRange,
): Promise<StoredVector[]> => {
  const { rows } = await sql<StoredVector>`
    select c.id, c.file_id as "fileId", v.vector
    from knowledge_chunks c join knowledge_vectors v on v.engine = ${engine} and v.text_hash = c.text_hash
    where c.file_id = any(${fileIds}::uuid[]) and c.position >= ${from} and c.position < ${to} order by c.id`.execute(
    db,
  )
  return rows
}

export const listVectorsOfUnscoped = async (
  db: Db,
  engine: string,
  chunkIds: readonly number[],
): Promise<StoredVector[]> => {
  if (chunkIds.length === 0) return []
  const { rows } = await sql<StoredVector>`
    select c.id, c.file_id as "fileId", v.vector
    from knowledge_chunks c join knowledge_vectors v on v.engine = ${engine} and v.text_hash = c.text_hash
    where c.id = any(${chunkIds}::int8[])`.execute(db)
  return rows
}

/** Changes whenever what a scope holds has changed. */
export const readVersionUnscoped = async (db: Db, { collectionIds, fileIds }: Scope): Promise<string> => {
  const { rows } = await prepared<{ version: string }>`
    select concat(
      (select string_agg(concat(id, ':', version), ',' order by id) from knowledge_collections where id = any(${collectionIds}::uuid[])), ';',
      (select string_agg(concat(file_id, ':', version), ',' order by file_id) from knowledge_documents where file_id = any(${fileIds}::uuid[]))
    ) as version`.execute(db)
  return rows[0]?.version ?? ''
}

/** Vectors of texts that no chunk has any more. */
export const deleteOrphanedVectorsUnscoped = async (db: Db, limit: number): Promise<number> => {
  const { numAffectedRows = 0n } = await sql`
    delete from knowledge_vectors where (engine, text_hash) in (
      select engine, text_hash from knowledge_vectors v
      where not exists (select from knowledge_chunks c where c.text_hash = v.text_hash) limit ${limit})`.execute(db)
  return Number(numAffectedRows)
}
