/** All SQL for `held_back`. */
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { fetchPage, type Page } from '../db/paging.ts'

interface HeldBackTable {
  kind: string
  id: string
  scopeId: string | null
  reason: string
  claims: number
  what: string
  since: Date
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    heldBack: HeldBackTable
  }
}

export type HeldRow = HeldBackTable

/** What was recorded first stays: since when, and why. */
export const insertHeldUnscoped = async (tx: Db, row: HeldRow): Promise<void> => {
  await tx
    .insertInto('heldBack')
    .values(row)
    .onConflict((conflict) => conflict.columns(['kind', 'id']).doNothing())
    .execute()
}

export interface HeldFilter extends Page {
  kind?: string | undefined
}

export const listHeldUnscoped = (db: Db, filter: HeldFilter) => {
  const all = db.selectFrom('heldBack')
  const matching = filter.kind === undefined ? all : all.where('kind', '=', filter.kind)
  return fetchPage(db, matching, filter, {
    select: (query) => query.selectAll().orderBy('since', 'desc').orderBy('kind').orderBy('id'),
  })
}

/** Taken by one caller only. */
export const takeHeldUnscoped = (tx: Db, { kind, id }: Pick<HeldRow, 'kind' | 'id'>): Promise<HeldRow | undefined> =>
  tx.deleteFrom('heldBack').where('kind', '=', kind).where('id', '=', id).returningAll().executeTakeFirst()

export const countHeldUnscoped = async (db: Db): Promise<Map<string, number>> => {
  const rows = await db
    .selectFrom('heldBack')
    .select(['kind', sql<number>`count(*)::int`.as('count')])
    .groupBy('kind')
    .execute()
  return new Map(rows.map(({ kind, count }) => [kind, count]))
}
