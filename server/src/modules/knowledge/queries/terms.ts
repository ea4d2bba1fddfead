/** SQL for bringing the full text of documents up to date after a change of how text is turned into words. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'

/** By the partial index, whose condition names the version. */
export const findOutdatedTermsUnscoped = async (db: Db): Promise<string | undefined> => {
  const { rows } = await sql<{ fileId: string }>`
    select file_id as "fileId" from knowledge_documents where terms_version < 2 order by file_id limit 1`.execute(db)
  return rows[0]?.fileId
}

interface ChunkTerms {
  id: number
  searchable: string
  wordCount: number
}

/** So that nobody replaces its chunks meanwhile. The caller has locked the file. */
export const lockDocumentUnscoped = async (tx: Db, fileId: string): Promise<void> => {
  await tx.selectFrom('knowledgeDocuments').select('fileId').where('fileId', '=', fileId).forUpdate().execute()
}

export const listChunkTextsUnscoped = (
  tx: Db,
  fileId: string,
  { after, limit }: { after: number; limit: number },
): Promise<{ id: number; text: string; heading: string | null }[]> =>
  tx
    .selectFrom('knowledgeChunks')
    .select(['id', 'text', 'heading'])
    .where('fileId', '=', fileId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

export const updateChunkTermsUnscoped = async (
  tx: Db,
  fileId: string,
  chunks: readonly ChunkTerms[],
): Promise<void> => {
  if (chunks.length === 0) return
  await sql`
    update knowledge_chunks c set search = to_tsvector(d.language, given.searchable), word_count = given.word_count
    from unnest(${chunks.map(({ id }) => id)}::int8[], ${chunks.map(({ searchable }) => searchable)}::text[],
      ${chunks.map(({ wordCount }) => wordCount)}::int[]) as given (id, searchable, word_count), knowledge_documents d
    where c.id = given.id and d.file_id = ${fileId}`.execute(tx)
}

export const updateTermsVersionUnscoped = async (tx: Db, fileId: string, version: number): Promise<void> => {
  await sql`
    update knowledge_documents set terms_version = ${version},
      word_count = (select coalesce(sum(word_count), 0) from knowledge_chunks where file_id = ${fileId})
    where file_id = ${fileId}`.execute(tx)
}
