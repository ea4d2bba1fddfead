/** SQL for how long organizations keep answered approvals, and for deleting older ones. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'

/** Undefined: forever. */
export const findApprovalDays = async (db: Db, actor: Actor): Promise<number | undefined> =>
  (await db.selectFrom('approvalRetention').select('days').where('scopeId', '=', scopeOf(actor)).executeTakeFirst())
    ?.days

/** Null: forever. */
export const saveApprovalDays = async (tx: Db, actor: Actor, days: number | null): Promise<void> => {
  const scopeId = scopeOf(actor)
  if (days === null) await tx.deleteFrom('approvalRetention').where('scopeId', '=', scopeId).execute()
  else
    await tx
      .insertInto('approvalRetention')
      .values({ scopeId, days })
      .onConflict((conflict) => conflict.column('scopeId').doUpdateSet({ days }))
      .execute()
}

export const listApprovalDaysUnscoped = (db: Db): Promise<{ scopeId: string; days: number }[]> =>
  db.selectFrom('approvalRetention').select(['scopeId', 'days']).execute()

interface Old {
  scopeId: string
  before: Date
  limit: number
}

/** Returns how many. One whose run goes on is kept: the run may not have read it yet. */
export const deleteAnsweredUnscoped = async (tx: Db, { scopeId, before, limit }: Old): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from approvals where step_id in (
      select a.step_id from approvals a
      where a.scope_id = ${scopeId} and a.answered_at < ${before}
        and not exists (select from runs r where r.id = a.run_id and r.finished_at is null)
      order by a.answered_at limit ${limit})`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
