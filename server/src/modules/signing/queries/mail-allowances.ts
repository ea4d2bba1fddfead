/** All SQL for `signing_mail_allowances`. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'

/**
 * Until the transaction ends, others that need one of these keys wait. Always in the order of the keys, so that two that
 * need several never wait for each other.
 */
export const lockAllowancesUnscoped = async (
  tx: Db,
  given: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const keys = given.toSorted()
  await sql`insert into signing_mail_allowances (key, paid_off_at_us)
    select key, 0 from unnest(${keys}::text[]) as key order by key collate "C" on conflict do nothing`.execute(tx)
  const { rows } = await sql<{ key: string; paidOffAtUs: string }>`
    select key, paid_off_at_us from signing_mail_allowances where key = any(${keys}::text[])
    order by key collate "C" for update`.execute(tx)
  return new Map(rows.map(({ key, paidOffAtUs }) => [key, Number(paidOffAtUs)]))
}

export const saveAllowancesUnscoped = async (tx: Db, spent: ReadonlyMap<string, number>): Promise<void> => {
  await sql`update signing_mail_allowances as a set paid_off_at_us = s.paid
    from unnest(${[...spent.keys()]}::text[], ${[...spent.values()]}::bigint[]) as s (key, paid)
    where a.key = s.key`.execute(tx)
}

export const deletePaidAllowancesUnscoped = async (db: Db, nowUs: number): Promise<void> => {
  await sql`delete from signing_mail_allowances where key in (
    select key from signing_mail_allowances where paid_off_at_us <= ${nowUs} limit 10000 for update skip locked)`.execute(
    db,
  )
}
