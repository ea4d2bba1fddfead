/** All SQL for `cron_triggers`. Their workflow was found in the actor's scope, or it is the clock that asks. */
import { type Selectable, sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { CronTriggersTable } from '../../tables.ts'

export type CronRow = Selectable<CronTriggersTable>

export const listCronTriggersUnscoped = (db: Db, workflowId: string): Promise<CronRow[]> =>
  db.selectFrom('cronTriggers').selectAll().where('workflowId', '=', workflowId).execute()

/** A list or a text would not be taken for JSON otherwise. */
const asJson = (value: unknown) => (value === null ? null : sql`${JSON.stringify(value)}::jsonb`)

export const insertCronTriggerUnscoped = async (tx: Db, row: CronRow): Promise<void> => {
  await tx
    .insertInto('cronTriggers')
    .values({ ...row, input: asJson(row.input) })
    .execute()
}

/** Only what is named: the clock may move `nextAt` on at the same moment. */
export const updateCronTriggerUnscoped = (tx: Db, id: string, change: Partial<CronRow>): Promise<CronRow> =>
  tx
    .updateTable('cronTriggers')
    // Its own id, since there must be something to set.
    .set({ ...change, id, ...(change.input !== undefined && { input: asJson(change.input) }) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export const deleteCronTriggerUnscoped = async (tx: Db, id: string): Promise<void> => {
  await tx.deleteFrom('cronTriggers').where('id', '=', id).execute()
}

/**
 * Locked until the transaction ends, and their workflows kept from being deleted or changed: a run made in it is there
 * when a deletion settles runs. Nothing is waited for: whoever changes or deletes a workflow holds it and then wants its
 * triggers, so that both would wait for each other. What another node is firing, or whose workflow somebody holds, is
 * passed over and found again at the next look.
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
