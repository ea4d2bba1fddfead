/**
 * Totals that triggers keep, so that asking for one doesn't add up all rows of an owner. The rows of a name add up to its
 * total: a change adds one and waits for nobody. Triggers and kinds are in the migration `running_totals`.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

interface Total {
  kind: 'file_bytes' | 'document_bytes' | 'chat_tags'
  /** A scope, or a person. */
  ownerId: string
}

export const readTotal = async (db: Db, { kind, ownerId }: Total): Promise<number> => {
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(amount), 0)::int8 as total from running_totals
    where kind = ${kind} and owner_id = ${ownerId}`.execute(db)
  return rows[0]?.total ?? 0
}

/** Of everybody: for metrics of the instance. */
export const sumTotals = async (db: Db, kind: Total['kind']): Promise<number> => {
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(amount), 0)::int8 as total from running_totals where kind = ${kind}`.execute(db)
  return rows[0]?.total ?? 0
}

/** For a query's `from`: `name` and `amount` of what isn't zero. */
export const totalsByName = ({ kind, ownerId }: Total): RawBuilder<unknown> => sql`(
  select name, sum(amount)::int8 as amount from running_totals
  where kind = ${kind} and owner_id = ${ownerId} group by name having sum(amount) > 0)`
