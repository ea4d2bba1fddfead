/** Pages of a list and text search in it, the same everywhere. */
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Tables } from './tables.ts'

export interface Page {
  page: number
  limit: number
}

/** A pattern for `ilike` that finds the text anywhere; wildcards in it are matched literally. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** The SQL for each name of `?sort=`. None may be null: null is neither before nor after a row. */
export type SortColumns<Name extends string> = Record<Name, RawBuilder<unknown>>

/** `name`, or `-name` for descending. */
export type SortName<Name extends string> = Name | `-${Name}`

interface Order<Name extends string> {
  sort: SortName<Name>
  columns: SortColumns<Name>
  /** Decides between equal rows, so that each is on exactly one page; the id unless told. */
  tie?: RawBuilder<unknown>
}

export const isDescending = (sort: string): boolean => sort.startsWith('-')

/** The SQL of the column that is sorted by. */
export const sortColumn = <Name extends string>({ sort, columns }: Order<Name>): RawBuilder<unknown> =>
  columns[(isDescending(sort) ? sort.slice(1) : sort) as Name]

export const inOrder = <From extends keyof Tables, Row, Name extends string>(
  query: SelectQueryBuilder<Tables, From, Row>,
  order: Order<Name>,
): SelectQueryBuilder<Tables, From, Row> => {
  const direction = isDescending(order.sort) ? sql`desc` : sql`asc`
  return query.orderBy(sql`${sortColumn(order)} ${direction}`).orderBy(sql`${order.tie ?? sql.ref('id')} ${direction}`)
}

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
