/** SQL for `workflow_failure_mails`, and the failed runs they are about. For a background job, so all of it is unscoped. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'

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
      from runs r join workflows w on w.id = r.workflow_id
      left join workflow_failure_mails m on m.workflow_id = r.workflow_id
      where r.finished_at > ${hourAgo}::timestamptz - interval '1 hour'
        and r.finished_at > coalesce(m.sent_at, ${hourAgo}) and (m.sent_at is null or m.sent_at <= ${hourAgo})
        and r.status in ('failed', 'timed_out') and r.trigger_kind in ('event', 'cron', 'webhook') and not r.is_test
      group by r.workflow_id limit ${limit}
    ), told as (
      insert into workflow_failure_mails as m (workflow_id, sent_at) select workflow_id, ${now} from failing
      on conflict (workflow_id) do update set sent_at = excluded.sent_at where m.sent_at <= ${hourAgo}
      returning workflow_id
    )
    select failing.* from failing join told using (workflow_id)`.execute(tx)
  return rows
}
