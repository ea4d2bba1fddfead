/** Requests that callers named by `Idempotency-Key`: for a day the same one again gets what the first made. */
import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Db } from './database.ts'

interface RequestKeysTable {
  userId: string
  purpose: string
  key: string
  resultId: string
  expiresAt: Date
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    requestKeys: RequestKeysTable
  }
}

interface RequestName {
  userId: string
  /** The thing that is made, and its source: the same key for something else is another request. */
  purpose: string
  /** Undefined: the caller named nothing, so nothing is remembered. */
  key: string | undefined
}

const keyLifeMs = 24 * 3_600_000
/** Expired names that each request deletes; more than it adds. */
const sweptAtOnce = 20

/**
 * In the transaction that makes the result. Returns the id of the result that has the name: when two requests race, the
 * second waits for the first to commit and gets the first's id. A request that fails leaves the name free.
 */
export const claimRequestKeyUnscoped = async (
  { clock }: { clock: Clock },
  tx: Db,
  { userId, purpose, key, resultId }: RequestName & { resultId: string },
): Promise<string> => {
  if (key === undefined) return resultId
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + keyLifeMs)
  await sql`delete from request_keys where ctid = any(array(
    select ctid from request_keys where expires_at <= ${now} limit ${sweptAtOnce} for update skip locked))`.execute(tx)
  const { rows } = await sql<{ resultId: string }>`
    insert into request_keys (user_id, purpose, key, result_id, expires_at)
    values (${userId}, ${purpose}, ${key}, ${resultId}, ${expiresAt})
    on conflict (user_id, purpose, key) do update
      set result_id = excluded.result_id, expires_at = excluded.expires_at
      where request_keys.expires_at <= ${now}
    returning result_id`.execute(tx)
  return rows[0]?.resultId ?? (await findRequestKeyUnscoped({ clock }, tx, { userId, purpose, key })) ?? resultId
}

/** The result of an earlier request with this key; for work that is done before the transaction. */
export const findRequestKeyUnscoped = async (
  { clock }: { clock: Clock },
  db: Db,
  { userId, purpose, key }: RequestName,
): Promise<string | undefined> => {
  if (key === undefined) return undefined
  const found = await db
    .selectFrom('requestKeys')
    .select('resultId')
    .where('userId', '=', userId)
    .where('purpose', '=', purpose)
    .where('key', '=', key)
    .where('expiresAt', '>', clock.now())
    .executeTakeFirst()
  return found?.resultId
}
