/** All SQL for `quota_debts`. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { prepared } from '#kernel/db/prepared.ts'
import type { Rate } from '#kernel/limits/gcra.ts'

/**
 * Until the transaction ends, others that need one of these keys wait. Always in the order of the keys, so that two that
 * need several never wait for each other.
 */
export const lockDebtsUnscoped = async (tx: Db, given: readonly string[]): Promise<ReadonlyMap<string, number>> => {
  const keys = given.toSorted()
  await sql`insert into quota_debts (key, paid_off_at_us)
    select key, 0 from unnest(${keys}::text[]) as key order by key collate "C" on conflict do nothing`.execute(tx)
  const { rows } = await sql<{ key: string; paidOffAtUs: string }>`
    select key, paid_off_at_us from quota_debts where key = any(${keys}::text[])
    order by key collate "C" for update`.execute(tx)
  return new Map(rows.map(({ key, paidOffAtUs }) => [key, Number(paidOffAtUs)]))
}

export const saveDebtsUnscoped = async (tx: Db, spent: ReadonlyMap<string, number>): Promise<void> => {
  await sql`update quota_debts as a set paid_off_at_us = s.paid
    from unnest(${[...spent.keys()]}::text[], ${[...spent.values()]}::bigint[]) as s (key, paid)
    where a.key = s.key`.execute(tx)
}

interface QuotaDebtsTable {
  key: string
  paidOffAtUs: number
  granted: number
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    quotaDebts: QuotaDebtsTable
  }
}

interface Share {
  granted: number
  paidOffAtUs: number
}

/** As much of `wanted` as is left now, in one statement: the arithmetic of `spend`. */
export const takeShareUnscoped = async (
  db: Db,
  key: string,
  { rate, wanted, nowUs }: { rate: Rate; wanted: number; nowUs: number },
): Promise<Share> => {
  const windowUs = rate.windowSec * 1_000_000
  const costUs = Math.floor(windowUs / rate.max)
  const { rows } = await prepared<{ granted: string; paidOffAtUs: string }>`
    insert into quota_debts as d (key, paid_off_at_us, granted)
    values (${key}::text, ${nowUs}::bigint + ${costUs * wanted}::bigint, ${wanted}::bigint)
    on conflict (key) do update set
      granted = least(${wanted}::bigint,
        greatest(0, (${windowUs}::bigint - greatest(d.paid_off_at_us - ${nowUs}::bigint, 0)) / ${costUs}::bigint)),
      paid_off_at_us = greatest(d.paid_off_at_us, ${nowUs}::bigint) + ${costUs}::bigint * least(${wanted}::bigint,
        greatest(0, (${windowUs}::bigint - greatest(d.paid_off_at_us - ${nowUs}::bigint, 0)) / ${costUs}::bigint))
    returning granted, paid_off_at_us`.execute(db)
  return { granted: Number(rows[0]?.granted ?? 0), paidOffAtUs: Number(rows[0]?.paidOffAtUs ?? 0) }
}

/** For display: nothing is taken. */
export const listDebtsUnscoped = async (db: Db, keys: readonly string[]): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await sql<{ key: string; paidOffAtUs: string }>`
    select key, paid_off_at_us from quota_debts where key = any(${keys}::text[])`.execute(db)
  return new Map(rows.map(({ key, paidOffAtUs }) => [key, Number(paidOffAtUs)]))
}

export const deletePaidDebtsUnscoped = async (db: Db, nowUs: number): Promise<void> => {
  await sql`delete from quota_debts where key in (
    select key from quota_debts where paid_off_at_us <= ${nowUs} limit 10000 for update skip locked)`.execute(db)
}
