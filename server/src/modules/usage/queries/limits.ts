/** All SQL for `usage_limits`. Who may see a limit depends on its subject, which other modules know; see `subjects.ts`. */
import type { Db } from '#kernel/db/database.ts'
import type { UsageLimitsTable } from '../tables.ts'

export type LimitRow = UsageLimitsTable
export type Caps = Pick<LimitRow, 'requestsPerMinute' | 'tokensPerDay' | 'tokensPerMonth'>

export const listLimitsUnscoped = (db: Db): Promise<LimitRow[]> =>
  db.selectFrom('usageLimits').selectAll().orderBy('createdAt').orderBy('id').execute()

/** Locked, so that concurrent changes of one limit are serialized. */
export const lockLimitUnscoped = (db: Db, id: string) =>
  db.selectFrom('usageLimits').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** False when the subject already has a limit of this origin, also when two requests race. */
export const insertLimitUnscoped = async (db: Db, limit: LimitRow): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('usageLimits')
    .values(limit)
    .onConflict((conflict) => conflict.columns(['subjectType', 'subjectId', 'setBy']).doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export const updateLimitUnscoped = (db: Db, id: string, change: Caps & { updatedAt: Date }) =>
  db.updateTable('usageLimits').set(change).where('id', '=', id).execute()

export const deleteLimitUnscoped = (db: Db, id: string) => db.deleteFrom('usageLimits').where('id', '=', id).execute()

/** For a subject that was deleted. */
export const deleteLimitsOfUnscoped = (db: Db, subject: Pick<LimitRow, 'subjectType' | 'subjectId'>) =>
  db
    .deleteFrom('usageLimits')
    .where('subjectType', '=', subject.subjectType)
    .where('subjectId', '=', subject.subjectId)
    .execute()
