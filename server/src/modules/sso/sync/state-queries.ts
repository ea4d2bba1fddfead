/** All SQL for `sso_sync_states` and `sso_sweeps`: how far companies agree with the provider's directory. */
import { type Selectable, sql } from 'kysely'
import { isAmong } from '#kernel/db/among.ts'
import type { Db } from '#kernel/db/database.ts'
import type { SsoSyncStatesTable } from '../tables.ts'

export type SyncState = Selectable<SsoSyncStatesTable>

export const listStatesUnscoped = async (db: Db, ids: readonly string[]): Promise<Map<string, SyncState>> => {
  const rows = await db.selectFrom('ssoSyncStates').selectAll().where(isAmong('organizationId', ids)).execute()
  return new Map(rows.map((row) => [row.organizationId, row]))
}

export const findStateUnscoped = (db: Db, organizationId: string): Promise<SyncState | undefined> =>
  db.selectFrom('ssoSyncStates').selectAll().where('organizationId', '=', organizationId).executeTakeFirst()

export const noteRequestedUnscoped = (tx: Db, organizationId: string, requestedAt: Date) =>
  tx
    .insertInto('ssoSyncStates')
    .values({ organizationId, requestedAt })
    .onConflict((conflict) => conflict.column('organizationId').doUpdateSet({ requestedAt }))
    .execute()

/** Something changed on our side: the next sweep asks for a pass, even if one is under way. */
export const noteChangeHereUnscoped = (tx: Db, organizationId: string) =>
  tx
    .insertInto('ssoSyncStates')
    .values({ organizationId, changes: 1 })
    .onConflict((conflict) =>
      conflict
        .column('organizationId')
        .doUpdateSet({ changes: sql<number>`sso_sync_states.changes + 1`, digest: null, retryAt: null }),
    )
    .execute()

export interface EndedPass extends Pick<SyncState, 'organizationId' | 'digest' | 'tries' | 'retryAt'> {
  passedAt: Date
  /** The count of changes here when the pass began. With another one by now it agrees with nothing. */
  changesAtStart: number
}

export const noteEndedUnscoped = (db: Db, { changesAtStart, ...pass }: EndedPass) => {
  const { digest, retryAt, passedAt, tries } = pass
  const isCurrent = sql<boolean>`sso_sync_states.changes = ${changesAtStart}::bigint`
  return db
    .insertInto('ssoSyncStates')
    .values({ ...pass, changes: changesAtStart })
    .onConflict((conflict) =>
      conflict.column('organizationId').doUpdateSet({
        passedAt,
        tries,
        requestedAt: null,
        digest: sql<string | null>`case when ${isCurrent} then ${digest} end`,
        retryAt: sql<Date | null>`case when ${isCurrent} then ${retryAt}::timestamptz end`,
      }),
    )
    .execute()
}

/** Companies that don't sign in there any more. */
export const deleteStatesExceptUnscoped = (db: Db, ids: readonly string[]) =>
  db.deleteFrom('ssoSyncStates').where(sql<boolean>`organization_id <> all(${ids}::uuid[])`).execute()

/** False when another sweep began after `before`, on whichever node. */
export const beginSweepUnscoped = async (db: Db, sweep: { at: Date; before: Date }): Promise<boolean> => {
  const row = await db
    .insertInto('ssoSweeps')
    .values({ begunAt: sweep.at })
    .onConflict((conflict) =>
      conflict.column('onlyRow').doUpdateSet({ begunAt: sweep.at }).where('ssoSweeps.begunAt', '<=', sweep.before),
    )
    .returning('onlyRow')
    .executeTakeFirst()
  return row !== undefined
}

export const endSweepUnscoped = (db: Db, endedAt: Date) => db.updateTable('ssoSweeps').set({ endedAt }).execute()

/** When the whole directory was last compared with what the last passes saw. */
export const findSweptAtUnscoped = async (db: Db): Promise<Date | null> =>
  (await db.selectFrom('ssoSweeps').select('endedAt').executeTakeFirst())?.endedAt ?? null
