/** Search for a part of a text, by an index of its trigrams: every three neighbouring characters. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** A pattern for `ilike` that finds the text anywhere; wildcards in it are matched literally. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** One condition in two ways: for rows that an index leads to, and for rows that are read anyway. */
export interface Search {
  byIndex: RawBuilder<SqlBool>
  byReading: RawBuilder<SqlBool>
}

interface Searched {
  /** The texts that are looked into. */
  columns: readonly [string, ...string[]]
  /** What the index is of, word for word; without one, each row is read. */
  trigrams?: RawBuilder<unknown>
  /** The mark of the index: whose rows they are. */
  mark?: string
}

const shortest = 3

/** Whether one of the columns contains the text. */
export const hasText = (text: string, { columns, trigrams, mark = '' }: Searched): Search => {
  const pattern = containing(text)
  const contains = columns.map((column) => sql`${sql.ref(column)} ilike ${pattern}`)
  const byReading = sql<SqlBool>`(${sql.join(contains, sql` or `)})`
  const isIndexed = trigrams !== undefined && [...text].length >= shortest
  const byIndex = isIndexed ? sql<SqlBool>`(${trigrams} @> trigrams(${mark}, ${text}) and ${byReading})` : byReading
  return { byIndex, byReading }
}

/** The mark of an owner: collisions cost time, nothing else. */
export const markOf = (ownerId: string): string => ownerId.slice(-8)
