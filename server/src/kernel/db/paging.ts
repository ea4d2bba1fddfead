/** Pages of a list, the same everywhere: what one costs is bounded, however long the list. */
import { mostCounted } from '@chancery/contract/lists.ts'
import { type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from './database.ts'
import type { Tables } from './tables.ts'
import type { Search } from './text-search.ts'

export interface Page {
  page: number
  limit: number
}

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

type Query<From extends keyof Tables, Row> = SelectQueryBuilder<Tables, From, Row>

interface List<From extends keyof Tables, Row, Selected> {
  /** What of a row is shown, and in which order. */
  select: (query: Query<From, Row>) => Query<From, Selected>
  /** Apart from the filters, since it is looked up in one way or another. */
  search?: Search | undefined
}

/** One page of a query that is filtered but neither selected nor limited yet, and how many rows match: see `mostCounted`. */
export const fetchPage = async <From extends keyof Tables, Row, Selected>(
  db: Db,
  filtered: Query<From, Row>,
  page: Page,
  list: List<From, Row, Selected>,
): Promise<{ items: Selected[]; total: number }> => {
  if (list.search) return fetchFound(db, filtered, page, { ...list, search: list.search })
  const [rows, counted] = await Promise.all([readPage(filtered, page, list), countMatches(db, filtered)])
  return pageOf(page, rows, counted)
}

const firstLook = 1000
const dense = 100

/**
 * What a search finds. Rows that hold a common text are met soon when the list is read in its order; those of a rare one
 * are looked up by the index and put in order then. PostgreSQL can't tell the two apart and may read all of a list for
 * either, so the first rows say which it is.
 */
const fetchFound = async <From extends keyof Tables, Row, Selected>(
  db: Db,
  filtered: Query<From, Row>,
  page: Page,
  { select, search }: List<From, Row, Selected> & { search: Search },
): Promise<{ items: Selected[]; total: number }> => {
  const byReading = filtered.where(search.byReading)
  const first = select(filtered).clearSelect().select(sql`id`.as('id')).limit(sql.lit(firstLook))
  const amongFirst = byReading.where(isAmong(first))
  const met = await countMatches(db, amongFirst)
  const byIndex = filtered.where(search.byIndex)
  const counted = await countMatches(db, met < dense ? byIndex : byReading)
  const found = counted > mostCounted ? byReading : filtered.where(isAmong(byIndex.select(sql`id`.as('id'))))
  return pageOf(page, await readPage(met > page.page * page.limit ? amongFirst : found, page, { select }), counted)
}

/** As an array, which PostgreSQL reads before all else: in a list it might look at each row of the table first. */
const isAmong = (ids: Expression<unknown>): RawBuilder<SqlBool> => sql<SqlBool>`id = any(array(${ids}))`

/** One row more than is shown, to see whether there are more. */
const readPage = <From extends keyof Tables, Row, Selected>(
  matching: Query<From, Row>,
  { page, limit }: Page,
  { select }: Pick<List<From, Row, Selected>, 'select'>,
): Promise<Selected[]> =>
  select(matching)
    .limit(limit + 1)
    .offset((page - 1) * limit)
    .execute() as Promise<Selected[]>

/** At most one more than is counted. */
const countMatches = async <From extends keyof Tables, Row>(db: Db, matching: Query<From, Row>): Promise<number> => {
  const some = matching.select(sql`1`.as('one')).limit(sql.lit(mostCounted + 1))
  const { rows } = await sql<{ count: number }>`select count(*) as count from (${some}) as matching`.execute(db)
  return rows[0]?.count ?? 0
}

const perPortion = 1000

interface WholeList<From extends keyof Tables, Row, Selected, Name extends string> extends List<From, Row, Selected> {
  sort: SortName<Name>
  columns: SortColumns<Name>
  /** Tell rows apart that are equal otherwise; the id unless told. */
  ties?: readonly RawBuilder<unknown>[]
}

/**
 * Everything that a list holds, in portions. Each is found by the last row of the one before: a portion far back costs
 * what the first one does, and no row comes twice or is left out because others were added meanwhile.
 */
export async function* readWhole<From extends keyof Tables, Row, Selected, Name extends string>(
  filtered: Query<From, Row>,
  { select, search, sort, columns, ties = [sql.ref('id')] }: WholeList<From, Row, Selected, Name>,
): AsyncGenerator<Selected[], void> {
  const matching = search ? await narrowedBy(filtered, search) : filtered
  const key = [sortColumn({ sort, columns }), ...ties]
  const position = sql<string[]>`array[${sql.join(key.map((column) => sql`(${column})::text`))}]`.as('position')
  const beyond = isDescending(sort) ? sql`<` : sql`>`
  let last: readonly string[] | undefined
  do {
    const rest = last ? matching.where(sql<SqlBool>`(${sql.join(key)}) ${beyond} (${sql.join(last)})`) : matching
    const ordered = inOrder(select(rest), { sort, columns, tie: sql`(${sql.join(ties)})` })
    const rows = (await ordered.select(position).limit(perPortion).execute()) as (Selected & { position: string[] })[]
    if (rows.length > 0) yield rows
    last = rows.length < perPortion ? undefined : rows.at(-1)?.position
  } while (last)
}

/** What few rows hold is looked up once. */
const narrowedBy = async <From extends keyof Tables, Row>(
  filtered: Query<From, Row>,
  { byIndex, byReading }: Search,
): Promise<Query<From, Row>> => {
  const ids = sql<string>`id`.as('id')
  const found = (await filtered
    .where(byIndex)
    .select(ids)
    .limit(mostCounted + 1)
    .execute()) as { id: string }[]
  return found.length > mostCounted
    ? filtered.where(byReading)
    : filtered.where(sql<SqlBool>`id = any(${found.map(({ id }) => id)}::uuid[])`)
}

const pageOf = <Selected>({ page, limit }: Page, rows: Selected[], counted: number) => {
  const isLast = rows.length > 0 && rows.length <= limit
  const beyond = isLast ? (page - 1) * limit + rows.length : Math.max(mostCounted, page * limit) + 1
  return { items: rows.slice(0, limit), total: counted <= mostCounted ? counted : beyond }
}
