/** All SQL for `quota_overrides`. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'

export interface OverrideRow {
  quota: string
  subject: string
  most: number
}

export const listOverridesUnscoped = async (db: Db): Promise<OverrideRow[]> => {
  const { rows } = await sql<{ quota: string; subject: string; most: string }>`
    select quota, subject, most from quota_overrides`.execute(db)
  return rows.map((row) => ({ ...row, most: Number(row.most) }))
}

/** Null takes one away. */
export const saveOverrideUnscoped = async (
  tx: Db,
  { quota, subject, most, at }: Omit<OverrideRow, 'most'> & { most: number | null; at: Date },
): Promise<void> => {
  await (most === null
    ? sql`delete from quota_overrides where subject = ${subject} and quota = ${quota}`
    : sql`insert into quota_overrides (quota, subject, most, changed_at) values (${quota}, ${subject}, ${most}, ${at})
        on conflict (subject, quota) do update set most = excluded.most, changed_at = excluded.changed_at`
  ).execute(tx)
}

/** Two who add to one scope count one after the other, until their transactions end. */
export const lockAmountUnscoped = async (tx: Db, key: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`quota ${key}`}, 0))`.execute(tx)
}
