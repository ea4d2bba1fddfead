/** SQL for what happens when runs of workflows fail. For background work, so all of it is unscoped. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { triggeredFailures } from '#modules/runs/index.ts'

/** A question for `kernel.checks`. Failures are looked for only where a workflow names another. */
export const canStartErrorRunsUnscoped = (mayHaveFailed: boolean) =>
  sql<boolean>`(${mayHaveFailed}::boolean and exists (select from workflows where error_workflow_id is not null))`

/** A subquery: the workflows that name another for their failures. */
export const namingErrorWorkflow = sql`
  select id, error_workflow_id, error_workflow_since from workflows where error_workflow_id is not null`

export interface Failing {
  workflowId: string
  count: number
  runId: string
  error: string | null
}

/**
 * Workflows with triggered runs that failed since the last email, for which an email is due. Marks them as told, so that
 * two nodes never tell twice.
 */
export const claimFailingUnscoped = async (
  tx: Db,
  { now, hourAgo, limit }: { now: Date; hourAgo: Date; limit: number },
): Promise<Failing[]> => {
  const { rows } = await sql<Failing>`
    with failing as (
      select r.workflow_id, count(*)::integer as count, (array_agg(r.id order by r.finished_at desc))[1] as run_id,
        (array_agg(r.error order by r.finished_at desc))[1] as error
      from (${triggeredFailures(sql`${hourAgo}::timestamptz - interval '1 hour'`)}) r join workflows w on w.id = r.workflow_id
      left join workflow_failure_mails m on m.workflow_id = r.workflow_id
      where r.finished_at > coalesce(m.sent_at, ${hourAgo}) and (m.sent_at is null or m.sent_at <= ${hourAgo})
      group by r.workflow_id limit ${limit}
    ), told as (
      insert into workflow_failure_mails as m (workflow_id, sent_at) select workflow_id, ${now} from failing
      on conflict (workflow_id) do update set sent_at = excluded.sent_at where m.sent_at <= ${hourAgo}
      returning workflow_id
    )
    select failing.* from failing join told using (workflow_id)`.execute(tx)
  return rows
}
