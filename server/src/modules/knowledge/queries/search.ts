/**
 * BM25 in SQL. PostgreSQL has no function for how often a word occurs in a text, but the rank of a single word depends
 * on nothing else, so the count is read off the rank. Document frequencies are counted by the index: a word costs as much
 * as there are chunks that hold it, and no text is looked at.
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
  /** The words of the question as this language stems them, without its stop words. */
  lexemes: string[]
}

/** The languages of a scope's documents, with how much there is in each. */
export const listLanguagesUnscoped = async (db: Db, scope: Scope, searchable: string): Promise<LanguageStats[]> => {
  const { rows } = await sql<LanguageStats>`
    select language::text as language, chunks, words, tsvector_to_array(to_tsvector(language, ${searchable})) as lexemes
    from (
      select language, sum(chunk_count)::int8 as chunks, sum(word_count)::int8 as words
      from knowledge_documents where ${inScope(scope, sql`file_id`)} group by 1
    ) as languages`.execute(db)
  return rows
}

const quoted = (lexeme: string): string => `'${lexeme.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`

/**
 * By the index alone: the planner thinks that looking at a text costs next to nothing, and would read every one of them.
 * The choice holds for the rest of the transaction.
 */
export const preferIndexUnscoped = (tx: Db) =>
  sql`select set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)`.execute(tx)

/** How many chunks of the scope hold each of the words, up to `most`. */
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

/** Without the type it would be a decimal number, which is much slower to compute with. */
const float = (value: number): RawBuilder<number> => sql`${sql.lit(value)}::float8`

export interface WeighedWord {
  lexeme: string
  weight: number
  /** Whether it counts towards the coverage. */
  isCovering: boolean
}

interface Scoring {
  words: readonly WeighedWord[]
  /** Only chunks that hold one of these are looked at. */
  among: readonly WeighedWord[]
  /** Of the whole question, also of words that no chunk holds. */
  totalWeight: number
  averageWords: number
  limit: number
}

/** The best chunks, by all the words. */
export const scoreChunksUnscoped = async (
  tx: Db,
  scope: Scope,
  { words, among, totalWeight, averageWords, limit }: Scoring,
): Promise<Hit[]> => {
  const slots = words.map((word, index) => ({ ...word, count: sql.ref(`f${index}`) }))
  const any = among.map(({ lexeme }) => quoted(lexeme)).join(' | ')
  const counts = slots.map(
    ({ lexeme, count }) =>
      sql`width_bucket(ts_rank(search, ${quoted(lexeme)}::tsquery)::float8, ${sql.lit(`{${thresholds.join(',')}}`)}::float8[]) as ${count}`,
  )
  const scores = slots.map(({ count, weight }) => sql`${float(weight * (k1 + 1))} * ${count} / (${count} + norm)`)
  const found = slots.map(
    ({ count, weight, isCovering }) => sql`case when ${count} > 0 then ${sql.lit(isCovering ? weight : 0)} else 0 end`,
  )
  const plus = sql` + `
  const { rows } = await sql<Hit>`
    select id, score, ((${sql.join(found, plus)}) / ${sql.lit(Math.max(1e-9, totalWeight))})::float8 as coverage
    from (
      select *, (${sql.join(scores, plus)})::float8 as score
      from (
        select id, ${float(k1 * (1 - b))} + ${float((k1 * b) / averageWords)} * word_count as norm, ${sql.join(counts)}
        from knowledge_chunks
        where search @@ ${any}::tsquery and ${inScope(scope, sql`file_id`)}
        offset 0
      ) as counted
      order by score desc, id limit ${limit}
    ) as best`.execute(tx)
  return rows
}

/** More than any chunk scores by this word alone. */
export const boundOf = ({ weight }: WeighedWord): number => weight * (k1 + 1)
