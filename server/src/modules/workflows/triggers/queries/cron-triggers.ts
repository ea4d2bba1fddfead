/** All SQL for `cron_triggers`. The caller has found the workflow in the actor's scope, or is the scheduler. */
import { type Selectable, sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { CronTriggersTable } from '../../tables.ts'

export type CronRow = Selectable<CronTriggersTable>

export const listCronTriggersUnscoped = (db: Db, workflowId: string): Promise<CronRow[]> =>
  db.selectFrom('cronTriggers').selectAll().where('workflowId', '=', workflowId).execute()

/** Otherwise lists and texts would not be sent as JSON. */
const asJson = (value: unknown) => (value === null ? null : sql`${JSON.stringify(value)}::jsonb`)

export const insertCronTriggerUnscoped = async (tx: Db, row: CronRow): Promise<void> => {
  await tx
    .insertInto('cronTriggers')
    .values({ ...row, input: asJson(row.input) })
    .execute()
}

/** Only the given columns: the scheduler may change `nextAt` at the same time. */
export const updateCronTriggerUnscoped = (tx: Db, id: string, change: Partial<CronRow>): Promise<CronRow> =>
  tx
    .updateTable('cronTriggers')
    // The id too, since an update needs at least one column.
    .set({ ...change, id, ...(change.input !== undefined && { input: asJson(change.input) }) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export const deleteCronTriggerUnscoped = async (tx: Db, id: string): Promise<void> => {
  await tx.deleteFrom('cronTriggers').where('id', '=', id).execute()
}

export const anyCronDueUnscoped = (now: Date) =>
  sql<boolean>`exists (select from cron_triggers where next_at <= ${now})`

/**
 * Locked until the transaction ends, with their workflows, so that a deletion finds and ends the runs created here. It
 * waits for nothing: a request that changes a workflow locks the workflow first and then its triggers, so waiting could
 * deadlock. Rows that another node or request has locked are skipped until the next check.
 */
export const claimDueUnscoped = async (tx: Db, now: Date, limit: number): Promise<CronRow[]> => {
  const { rows } = await sql<CronRow>`
    select t.* from cron_triggers t join workflows w on w.id = t.workflow_id
    where t.next_at <= ${now} order by t.next_at limit ${limit}
    for update of t skip locked for key share of w skip locked`.execute(tx)
  return rows
}

export const moveOnUnscoped = async (tx: Db, moves: readonly { id: string; nextAt: Date | null }[]): Promise<void> => {
  await sql`
    update cron_triggers t set next_at = m.next_at
    from unnest(${moves.map(({ id }) => id)}::uuid[], ${moves.map(({ nextAt }) => nextAt)}::timestamptz[])
      as m (id, next_at)
    where t.id = m.id`.execute(tx)
}
