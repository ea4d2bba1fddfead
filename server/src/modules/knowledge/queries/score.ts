/**
 * BM25 in SQL. PostgreSQL has no function for how often a word occurs in a text, but the rank of a single word depends
 * on nothing else, so the count is read off the rank.
 *
 * Access has been checked by the caller, who resolved the scope.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { Scope } from '../scope.ts'
import { inScope, quoted } from './search.ts'

const k1 = 1.2
const b = 0.75
const maxCounted = 12

/** The `ts_rank` of a word that occurs n times: 0.1 · (1 + 1/4 + … + 1/n²) / (π²/6). */
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

/** Without the type it would be a decimal number, which is much slower to compute with. */
const float = (value: number): RawBuilder<number> => sql`${sql.lit(value)}::float8`

export interface Word {
  lexeme: string
  /** True for words that count towards the coverage. */
  isCovering: boolean
}

export interface WeighedWord extends Word {
  weight: number
}

interface Slot extends Word {
  weight: RawBuilder<number>
  /** The column that holds how often the word occurs in a chunk. */
  count: RawBuilder<number>
}

const plus = sql` + `
const sumOf = (parts: readonly RawBuilder<unknown>[]) => (parts.length === 0 ? float(0) : sql.join(parts, plus))

/** The chunks of a scope that hold one of `among`, with their length's part in the score and the counts of the words. */
const countedChunks = (scope: Scope, slots: readonly Slot[], { among, averageWords }: Counting) => {
  const any = among.map(({ lexeme }) => quoted(lexeme)).join(' | ')
  const counts = slots.map(
    ({ lexeme, count }) =>
      sql`width_bucket(ts_rank(search, ${quoted(lexeme)}::tsquery)::float8, ${sql.lit(`{${thresholds.join(',')}}`)}::float8[]) as ${count}`,
  )
  return sql`
    select id, ${float(k1 * (1 - b))} + ${float((k1 * b) / averageWords)} * word_count as norm, ${sql.join(counts)}
    from knowledge_chunks
    where search @@ ${any}::tsquery and ${inScope(scope, sql`file_id`)}`
}

interface Counting {
  /** Only chunks that hold one of these are looked at. */
  among: readonly Word[]
  averageWords: number
}

/** The best of the counted chunks. */
const bestOf = (
  counted: RawBuilder<unknown>,
  slots: readonly Slot[],
  { totalWeight, limit }: { totalWeight: RawBuilder<unknown>; limit: number },
) => {
  const scores = slots.map(({ count, weight }) => sql`${weight} * ${float(k1 + 1)} * ${count} / (${count} + norm)`)
  const found = slots
    .filter(({ isCovering }) => isCovering)
    .map(({ count, weight }) => sql`case when ${count} > 0 then ${weight} else 0 end`)
  return sql<Hit>`
    select id, score, ((${sumOf(found)}) / greatest(1e-9, ${totalWeight}))::float8 as coverage
    from (select *, (${sumOf(scores)})::float8 as score from ${counted} order by score desc, id limit ${limit}) as best`
}

interface Scoring extends Counting {
  words: readonly WeighedWord[]
  /** The weight of the whole question, including words that no chunk contains. */
  totalWeight: number
  limit: number
}

/** The best chunks, by all the words. */
export const scoreChunksUnscoped = async (
  tx: Db,
  scope: Scope,
  { words, totalWeight, limit, ...counting }: Scoring,
): Promise<Hit[]> => {
  const slots = words.map((word, index) => ({
    ...word,
    weight: float(word.weight),
    count: sql.ref<number>(`f${index}`),
  }))
  const counted = sql`(${countedChunks(scope, slots, counting)} offset 0) as counted`
  const { rows } = await bestOf(counted, slots, { totalWeight: float(totalWeight), limit }).execute(tx)
  return rows
}

/** The same in one statement, which also weighs the words: faster where a scope is so small that every match is scored. */
export const scoreSmallScopeUnscoped = async (
  db: Db,
  scope: Scope,
  {
    words,
    chunks,
    averageWords,
    limit,
  }: { words: readonly Word[]; chunks: number; averageWords: number; limit: number },
): Promise<Hit[]> => {
  const slots = words.map((word, index) => ({
    ...word,
    weight: sql.ref<number>(`w${index}`),
    count: sql.ref<number>(`f${index}`),
  }))
  const weights = slots.map(({ count, weight }) => {
    const held = sql`count(*) filter (where ${count} > 0)`
    return sql`ln(1 + greatest(0, ${float(chunks + 0.5)} - ${held}) / (${held} + 0.5::float8)) as ${weight}`
  })
  const totalWeight = sumOf(slots.flatMap(({ isCovering, weight }) => (isCovering ? [weight] : [])))
  // Both materialized: without statistics, as after a large upload, the weights would be counted again for every chunk.
  const { rows } = await sql<Hit>`
    with counted as materialized (${countedChunks(scope, slots, { among: words, averageWords })}),
      weights as materialized (select ${sql.join(weights)} from counted)
    ${bestOf(sql`counted, weights`, slots, { totalWeight, limit })}`.execute(db)
  return rows
}

/** More than any chunk scores by this word alone. */
export const boundOf = ({ weight }: Pick<WeighedWord, 'weight'>): number => weight * (k1 + 1)
