/** Pages of a list and text search in it, the same everywhere. */
import type { SelectQueryBuilder } from 'kysely'
import type { Tables } from './tables.ts'

export interface Page {
  page: number
  limit: number
}

/** A pattern for `ilike` that finds the text anywhere; wildcards in it are matched literally. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** One page of a query that is filtered but neither selected nor limited yet, and how many rows match in all. */
export const fetchPage = async <From extends keyof Tables, Row, Selected>(
  matching: SelectQueryBuilder<Tables, From, Row>,
  { page, limit }: Page,
  select: (query: SelectQueryBuilder<Tables, From, Row>) => SelectQueryBuilder<Tables, From, Selected>,
): Promise<{ items: Selected[]; total: number }> => {
  const [items, { count }] = await Promise.all([
    select(matching)
      .limit(limit)
      .offset((page - 1) * limit)
      .execute() as Promise<Selected[]>,
    matching.select((count) => count.fn.countAll<number>().as('count')).executeTakeFirstOrThrow() as Promise<{
      count: number
    }>,
  ])
  return { items, total: count }
}
