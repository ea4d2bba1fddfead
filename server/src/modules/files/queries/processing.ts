/**
 * SQL of processing. A worker's claim is a lease on the database's clock; each of its writes carries the epoch of its
 * claim and changes nothing once another worker, a cancellation or a deletion came in between.
 */
import type { Progress } from '@chancery/contract/files/files.ts'
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { FileRow, StoredText } from './files.ts'

export type Claim = Pick<FileRow, 'id' | 'leaseEpoch'>

const leaseEnd = sql<Date>`now() + interval '60 seconds'`

/** Undefined when there is nothing to do, or somebody else does it. */
export const claimUnscoped = (db: Db, id: string): Promise<FileRow | undefined> =>
  db
    .updateTable('files')
    .set((row) => ({
      isClaimed: true,
      attempts: row('attempts', '+', 1),
      leaseEpoch: row('leaseEpoch', '+', 1),
      leaseUntil: leaseEnd,
    }))
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .where((where) => where.or([where('isClaimed', '=', false), where('leaseUntil', '<', sql<Date>`now()`)]))
    .returningAll()
    .executeTakeFirst()

const claimed = (db: Db, { id, leaseEpoch }: Claim) =>
  db.updateTable('files').where('id', '=', id).where('leaseEpoch', '=', leaseEpoch).where('state', '=', 'pending')

const changed = async (result: Promise<{ numUpdatedRows: bigint }>): Promise<boolean> =>
  (await result).numUpdatedRows > 0n

/** False when the claim is lost. */
export const renewUnscoped = (db: Db, claim: Claim): Promise<boolean> =>
  changed(claimed(db, claim).set({ leaseUntil: leaseEnd }).executeTakeFirst())

export const saveProgressUnscoped = (db: Db, claim: Claim, progress: Progress): Promise<boolean> =>
  changed(claimed(db, claim).set({ leaseUntil: leaseEnd, progress }).executeTakeFirst())

/** Gives the file back for another attempt; an attempt that our own stop cut off is not counted. */
export const releaseUnscoped = (db: Db, claim: Claim, { isCounted }: { isCounted: boolean }): Promise<boolean> =>
  changed(
    claimed(db, claim)
      .set((row) => ({
        isClaimed: false,
        leaseUntil: leaseEnd,
        attempts: isCounted ? row.ref('attempts') : row('attempts', '-', 1),
      }))
      .executeTakeFirst(),
  )

export const finishUnscoped = (
  db: Db,
  claim: Claim,
  { error, at }: { error: string | null; at: Date },
): Promise<boolean> =>
  changed(
    claimed(db, claim)
      .set({ state: error === null ? 'completed' : 'failed', error, progress: null, isClaimed: false, updatedAt: at })
      .executeTakeFirst(),
  )

/** Locks the file for the transaction, if the claim still holds. */
export const lockClaimUnscoped = async (db: Db, { id, leaseEpoch }: Claim): Promise<boolean> => {
  const row = await db
    .selectFrom('files')
    .select('id')
    .where('id', '=', id)
    .where('leaseEpoch', '=', leaseEpoch)
    .where('state', '=', 'pending')
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}

export const saveTextUnscoped = (db: Db, fileId: string, { content, marks }: StoredText) => {
  const text = { content, marks: sql<never[]>`${JSON.stringify(marks)}::jsonb` }
  return db
    .insertInto('fileTexts')
    .values({ fileId, ...text })
    .onConflict((conflict) => conflict.column('fileId').doUpdateSet(text))
    .execute()
}

/** To pending, from a state in which nobody works on it. */
export const requeueUnscoped = (db: Db, id: string, at: Date): Promise<FileRow | undefined> =>
  db
    .updateTable('files')
    .set((row) => ({
      state: 'pending',
      error: null,
      progress: null,
      attempts: 0,
      isClaimed: false,
      updatedAt: at,
      leaseEpoch: row('leaseEpoch', '+', 1),
      leaseUntil: leaseEnd,
    }))
    .where('id', '=', id)
    .where('state', '!=', 'pending')
    .returningAll()
    .executeTakeFirst()

/** Ends processing from outside; a worker's claim is lost with it. */
export const cancelUnscoped = (
  db: Db,
  id: string,
  { error, at }: { error: string; at: Date },
): Promise<FileRow | undefined> =>
  db
    .updateTable('files')
    .set((row) => ({
      state: 'failed',
      error,
      progress: null,
      isClaimed: false,
      updatedAt: at,
      leaseEpoch: row('leaseEpoch', '+', 1),
    }))
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .returningAll()
    .executeTakeFirst()

/** How many of a tenant's files wait or are worked on, as far as it matters. What is pending of all has an index. */
export const countPendingOfScopeUnscoped = async (db: Db, scopeId: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from files where state = 'pending' and coalesce(organization_id, owner_id) = ${scopeId} limit 1000
    ) as pending`.execute(db)
  return rows[0]?.count ?? 0
}

/** Pending files whose worker or job is gone. */
export const listStrandedUnscoped = (db: Db, limit: number) =>
  db
    .selectFrom('files')
    .select(['id', 'organizationId', 'ownerId'])
    .where('state', '=', 'pending')
    .where('leaseUntil', '<', sql<Date>`now()`)
    .orderBy('leaseUntil')
    .limit(limit)
    .execute()
