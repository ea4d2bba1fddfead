/**
 * BM25 in SQL. PostgreSQL has no function for how often a word occurs in a text, but the rank of a single word depends
 * on nothing else, so the count is read off the rank. Document frequencies are counted among the matching chunks, which
 * are all chunks of the scope that hold any of the words: they are exact.
 *
 * Access has been checked by the caller, who resolved the scope.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { Scope } from '../retrieval/scope.ts'

const k1 = 1.2
const b = 0.75
const maxCounted = 12

/** What `ts_rank` returns for a word that occurs n times: 0.1 · (1 + 1/4 + … + 1/n²) / (π²/6). */
const rankOf = (times: number): number => {
  let sum = 0
  for (let n = 1; n <= times; n += 1) sum += 1 / (n * n)
  return (0.1 * sum) / 1.64493406685
}

/** Between the ranks of n − 1 and of n occurrences. */
const thresholds = Array.from({ length: maxCounted }, (_, index) => (rankOf(index) + rankOf(index + 1)) / 2)

export interface Hit {
  id: number
  score: number
  /** The share of the question's weight that this chunk holds: 1 when every word occurs. */
  coverage: number
}

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
}

/** The languages of a scope's documents, with how much there is in each. */
export const listLanguagesUnscoped = async (db: Db, scope: Scope): Promise<LanguageStats[]> => {
  const { rows } = await sql<LanguageStats>`
    select language::text as language, sum(chunk_count)::int8 as chunks, sum(word_count)::int8 as words
    from knowledge_documents where ${inScope(scope, sql`file_id`)} group by 1`.execute(db)
  return rows
}

/** The words of a question as a language stems them, without its stop words. */
export const listLexemesUnscoped = async (db: Db, language: string, searchable: string): Promise<string[]> => {
  const { rows } = await sql<{ lexeme: string }>`
    select lexeme from unnest(to_tsvector(${language}::regconfig, ${searchable}))`.execute(db)
  return rows.map(({ lexeme }) => lexeme)
}

interface Search {
  stats: LanguageStats
  lexemes: readonly string[]
  limit: number
}

const quoted = (lexeme: string): string => `'${lexeme.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`

export const searchChunksUnscoped = async (db: Db, scope: Scope, { stats, lexemes, limit }: Search): Promise<Hit[]> => {
  const slots = lexemes.map((lexeme, index) => ({
    query: quoted(lexeme),
    count: sql.ref(`f${index}`),
    weight: sql.ref(`w${index}`),
  }))
  const any = slots.map(({ query }) => query).join(' | ')
  const averageWords = Math.max(1, stats.words / Math.max(1, stats.chunks))
  const counts = slots.map(
    ({ query, count }) =>
      sql`width_bucket(ts_rank(search, ${query}::tsquery)::float8, ${sql.lit(`{${thresholds.join(',')}}`)}::float8[]) as ${count}`,
  )
  // As Lucene counts: never negative, also for a word that is in most chunks.
  const weights = slots.map(
    ({ count, weight }) =>
      sql`ln(1 + (${stats.chunks}::float8 - count(*) filter (where ${count} > 0) + 0.5) / (count(*) filter (where ${count} > 0) + 0.5)) as ${weight}`,
  )
  const scores = slots.map(({ count, weight }) => sql`${weight} * ${count} * ${sql.lit(k1 + 1)} / (${count} + norm)`)
  const found = slots.map(({ count, weight }) => sql`case when ${count} > 0 then ${weight} else 0 end`)
  const all = slots.map(({ weight }) => weight)
  const plus = sql` + `
  const { rows } = await sql<Hit>`
    with matching as materialized (
      select id, ${sql.lit(k1 * (1 - b))} + ${sql.lit((k1 * b) / averageWords)} * word_count as norm, ${sql.join(counts)}
      from knowledge_chunks
      where search @@ ${any}::tsquery and ${inScope(scope, sql`file_id`)}
    ), weights as (select ${sql.join(weights)} from matching)
    select id, (${sql.join(scores, plus)})::float8 as score,
      ((${sql.join(found, plus)}) / greatest(1e-9, ${sql.join(all, plus)}))::float8 as coverage
    from matching, weights order by score desc, id limit ${limit}`.execute(db)
  return rows
}
