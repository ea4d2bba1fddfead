/**
 * SQL of full-text search: the languages of a scope, and how many chunks hold a word. Document frequencies are counted by
 * the index: a word costs as much as there are chunks that hold it, and no text is looked at.
 *
 * Access has been checked by the caller, who resolved the scope.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { prepared } from '#kernel/db/prepared.ts'
import type { Scope } from '../scope.ts'

/** The chunks of a scope's files, as a condition on `file_id`. */
export const inScope = ({ collectionIds, fileIds }: Scope, column: RawBuilder<unknown>): RawBuilder<boolean> => {
  const conditions: RawBuilder<boolean>[] = []
  if (fileIds.length > 0) conditions.push(sql<boolean>`${column} = any(${fileIds}::uuid[])`)
  if (collectionIds.length > 0)
    conditions.push(
      sql<boolean>`${column} in (select file_id from knowledge_files where collection_id = any(${collectionIds}::uuid[]))`,
    )
  return conditions.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(conditions, sql` or `)})`
}

export interface LanguageStats {
  language: string
  chunks: number
  words: number
  /** The words of the question as this language stems them, without its stop words. */
  lexemes: string[]
}

/** The languages of a scope's documents, with how much there is in each. */
export const listLanguagesUnscoped = async (db: Db, scope: Scope, searchable: string): Promise<LanguageStats[]> => {
  const { collectionIds, fileIds } = scope
  const { rows } = await prepared<LanguageStats>`
    select language::text as language, chunks, words, tsvector_to_array(to_tsvector(language, ${searchable})) as lexemes
    from (
      select language, sum(chunk_count)::int8 as chunks, sum(word_count)::int8 as words
      from knowledge_documents where file_id in (
        select unnest(${fileIds}::uuid[])
        union select file_id from knowledge_files where collection_id = any(${collectionIds}::uuid[])
      ) group by 1
    ) as languages`.execute(db)
  return rows
}

export const quoted = (lexeme: string): string => `'${lexeme.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`

/**
 * By the index alone: the planner thinks that looking at a text costs next to nothing, and would read every one of them.
 * The choice holds for the rest of the transaction.
 */
export const preferIndexUnscoped = (tx: Db) =>
  sql`select set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)`.execute(tx)

/** Counts the chunks of the scope that hold each of the words, up to `most`. */
export const countMatchesUnscoped = async (
  tx: Db,
  scope: Scope,
  { lexemes, most }: { lexemes: readonly string[]; most: number },
): Promise<number[]> => {
  const counts = lexemes.map(
    (lexeme) =>
      sql`(select count(*) from (select from knowledge_chunks where search @@ ${quoted(lexeme)}::tsquery and ${inScope(scope, sql`file_id`)} limit ${sql.lit(most)}) as found)`,
  )
  const { rows } = await sql<{ counts: number[] }>`select array[${sql.join(counts)}]::int[] as counts`.execute(tx)
  return rows[0]?.counts ?? []
}

/** The part of the scope's chunks that hold each of the words, from every `stride`-th chunk: the same ones each time. */
export const sampleMatchesUnscoped = async (
  tx: Db,
  scope: Scope,
  { lexemes, stride }: { lexemes: readonly string[]; stride: number },
): Promise<number[]> => {
  const every = sql.lit(stride)
  const counts = lexemes.map((lexeme) => sql`count(*) filter (where search @@ ${quoted(lexeme)}::tsquery)`)
  // The limit has each chunk looked up by itself; a join would read all of them.
  const { rows } = await sql<{ parts: number[] }>`
    select array(select count / greatest(1, total)::float8 from unnest(counts) as count) as parts
    from (
      select array[${sql.join(counts)}] as counts, count(*) as total
      from knowledge_documents document,
        generate_series((hashtext(document.file_id::text) & 65535) % ${every}, document.chunk_count - 1, ${every}) as wanted,
        lateral (select search from knowledge_chunks where file_id = document.file_id and position = wanted limit 1) as chunk
      where ${inScope(scope, sql`document.file_id`)}
    ) as sample`.execute(tx)
  return rows[0]?.parts ?? []
}
