/** SQL for chunks and the documents they belong to. */
import { sql } from 'kysely'
import { isAmong } from '#kernel/db/among.ts'
import type { Db } from '#kernel/db/database.ts'
import { fetchPage, type Page } from '#kernel/db/paging.ts'
import type { Scope } from '../scope.ts'
import { inScope } from './search.ts'

export interface NewChunk {
  text: string
  page: number | null
  heading: string | null
  wordCount: number
  textHash: Buffer
  /** See `searchable-text.ts`. */
  searchable: string
}

interface NewDocument {
  fileId: string
  language: string
  chunks: readonly NewChunk[]
  /** See `searchable-text.ts`. */
  termsVersion: number
  indexedAt: Date
}

const rowsPerInsert = 500

/**
 * Replaces whatever the file had, in the caller's transaction: readers see the old chunks or the new ones. Everybody who
 * locks more than one of them locks the file first, then collections, then the document.
 */
export const replaceDocumentUnscoped = async (
  tx: Db,
  { fileId, language, chunks, termsVersion, indexedAt }: NewDocument,
): Promise<void> => {
  await countChangeUnscoped(tx, [fileId])
  await tx.deleteFrom('knowledgeChunks').where('fileId', '=', fileId).execute()
  for (let at = 0; at < chunks.length; at += rowsPerInsert)
    await insertChunks(tx, { fileId, language, at, chunks: chunks.slice(at, at + rowsPerInsert) })
  const facts = {
    language,
    chunkCount: chunks.length,
    wordCount: chunks.reduce((sum, { wordCount }) => sum + wordCount, 0),
    isStale: false,
    termsVersion,
    unpaidEngine: null,
    indexedAt,
  }
  await tx
    .insertInto('knowledgeDocuments')
    .values({ fileId, ...facts })
    .onConflict((conflict) => conflict.column('fileId').doUpdateSet(facts))
    .execute()
}

/** When the chunks of files, or their vectors, change: what is cached of them is read again. */
export const countChangeUnscoped = async (db: Db, fileIds: readonly string[]): Promise<void> => {
  if (fileIds.length === 0) return
  // Both in one order, so that two changes cannot wait for each other.
  await sql`
    with holding as (
      select id from knowledge_collections where id in (select collection_id from knowledge_files where file_id = any(${fileIds}::uuid[]))
      order by id for no key update
    ) update knowledge_collections c set version = version + 1 from holding where c.id = holding.id`.execute(db)
  await sql`
    with changed as (
      select file_id from knowledge_documents where file_id = any(${fileIds}::uuid[]) order by file_id for no key update
    ) update knowledge_documents d set version = version + 1 from changed where d.file_id = changed.file_id`.execute(db)
}

const insertChunks = async (
  tx: Db,
  { fileId, language, at, chunks }: { fileId: string; language: string; at: number; chunks: readonly NewChunk[] },
): Promise<void> => {
  const column = <Key extends keyof NewChunk>(key: Key) => chunks.map((chunk) => chunk[key])
  await sql`
    insert into knowledge_chunks (file_id, position, text, page, heading, word_count, text_hash, search)
    select ${fileId}::uuid, ${at} + ordinal - 1, text, page, heading, word_count, decode(text_hash, 'hex'), to_tsvector(${language}::regconfig, searchable)
    from unnest(${column('text')}::text[], ${column('page')}::int[], ${column('heading')}::text[], ${column('wordCount')}::int[],
      ${column('textHash').map((hash) => hash.toString('hex'))}::text[], ${column('searchable')}::text[])
      with ordinality as given (text, page, heading, word_count, text_hash, searchable, ordinal)`.execute(tx)
}

export interface ChunkRow {
  id: number
  fileId: string
  position: number
  text: string
  page: number | null
  heading: string | null
}

const shown = ['id', 'fileId', 'position', 'text', 'page', 'heading'] as const

/** Only those of the scope: whatever an index says, no text of another file is read. */
export const listChunksUnscoped = (db: Db, scope: Scope, ids: readonly number[]): Promise<ChunkRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('knowledgeChunks')
        .select(shown)
        .where('id', 'in', ids)
        .where(inScope(scope, sql`file_id`))
        .execute()

export const listChunksOfFilesUnscoped = (db: Db, fileIds: readonly string[], limit: number): Promise<ChunkRow[]> =>
  fileIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('knowledgeChunks')
        .select(shown)
        .where(isAmong('fileId', fileIds))
        .orderBy('fileId')
        .orderBy('position')
        .limit(limit)
        .execute()

export const listChunksOfFileUnscoped = (db: Db, fileId: string, page: Page) =>
  fetchPage(db, db.selectFrom('knowledgeChunks').where('fileId', '=', fileId), page, {
    select: (query) => query.select(['position', 'text', 'page', 'heading']).orderBy('position'),
  })

export const markStaleUnscoped = async (db: Db, collectionId: string): Promise<number> => {
  const { numAffectedRows = 0n } = await sql`
    update knowledge_documents set is_stale = true, stale_for = ${collectionId}
    where file_id in (select file_id from knowledge_files where collection_id = ${collectionId})`.execute(db)
  return Number(numAffectedRows)
}

/** Also one that has left the collection since: others may hold it. */
export const findStaleUnscoped = async (db: Db, collectionId: string): Promise<string | undefined> => {
  const { rows } = await sql<{ fileId: string }>`
    select file_id as "fileId" from knowledge_documents
    where stale_for = ${collectionId} and is_stale order by file_id limit 1`.execute(db)
  return rows[0]?.fileId
}
