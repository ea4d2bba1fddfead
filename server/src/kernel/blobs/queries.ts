/** All SQL for `unowned_blobs`. Keys are made by the server and belong to no caller, so nothing here is scoped. */
import { type SqlBool, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { isBackupRunning } from './backup-lock.ts'

interface UnownedBlobsTable {
  key: string
  /** Can no longer be claimed: its bytes are being deleted. */
  isDiscarded: boolean
  sweepAfter: Date
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    unownedBlobs: UnownedBlobsTable
  }
}

export const insertUnownedUnscoped = async (db: Db, key: string, sweepAfter: Date): Promise<void> => {
  await db.insertInto('unownedBlobs').values({ key, isDiscarded: false, sweepAfter }).execute()
}

/** False when the blob is not unowned any more, or has been discarded. */
export const postponeSweepUnscoped = async (db: Db, key: string, sweepAfter: Date): Promise<boolean> => {
  const updated = await db
    .updateTable('unownedBlobs')
    .set({ sweepAfter })
    .where('key', '=', key)
    .where('isDiscarded', '=', false)
    .executeTakeFirst()
  return updated.numUpdatedRows > 0
}

/** False when there is nothing left to claim. */
export const claimUnownedUnscoped = async (db: Db, key: string): Promise<boolean> => {
  const deleted = await db
    .deleteFrom('unownedBlobs')
    .where('key', '=', key)
    .where('isDiscarded', '=', false)
    .executeTakeFirst()
  return deleted.numDeletedRows > 0
}

/** Marks those of the keys that nobody has claimed, and returns them. */
export const discardUnclaimedUnscoped = async (db: Db, keys: readonly string[]): Promise<string[]> => {
  const marked = await db
    .updateTable('unownedBlobs')
    .set({ isDiscarded: true })
    .where(sql<boolean>`key = any(${keys}::text[])`)
    .returning('key')
    .execute()
  return marked.map(({ key }) => key)
}

/** Gives up ownership: the blobs are due for deletion once the caller's transaction commits. */
export const releaseUnscoped = async (db: Db, keys: readonly string[], now: Date): Promise<void> => {
  await sql`
    insert into unowned_blobs (key, is_discarded, sweep_after)
    select key, true, ${now}::timestamptz from unnest(${keys}::text[]) as key
    on conflict (key) do update set is_discarded = true, sweep_after = excluded.sweep_after`.execute(db)
}

interface DueBlob {
  key: string
  /** Discarded before, by its owner or by an earlier sweep. */
  wasDiscarded: boolean
}

/**
 * Marks due blobs as discarded and returns them. Rows that a claim or another node holds are skipped, and `retryAt` is
 * when they are due again, should this process die before it is done with them. None while a backup runs.
 */
export const takeDueUnscoped = async (
  db: Db,
  { now, retryAt, limit }: { now: Date; retryAt: Date; limit: number },
): Promise<DueBlob[]> => {
  const due = db
    .selectFrom('unownedBlobs')
    .select(['key', 'isDiscarded as wasDiscarded'])
    .where('sweepAfter', '<=', now)
    .where(sql<boolean>`not ${sql.raw(isBackupRunning)}`)
    .orderBy('sweepAfter')
    .limit(limit)
    .forUpdate()
    .skipLocked()
  return db
    .with('due', () => due)
    .updateTable('unownedBlobs')
    .from('due')
    .set({ isDiscarded: true, sweepAfter: retryAt })
    .where(sql<SqlBool>`unowned_blobs.key = due.key`)
    .returning(['unownedBlobs.key', 'due.wasDiscarded'])
    .execute()
}

export const deleteUnownedUnscoped = async (db: Db, key: string): Promise<void> => {
  await db.deleteFrom('unownedBlobs').where('key', '=', key).execute()
}
