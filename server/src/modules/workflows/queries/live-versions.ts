/** The versions that start when workflows are started now. */
import { defaultDeadlineSec } from '@chancery/contract/workflows/graph.ts'
import type { Db } from '#kernel/db/database.ts'
import { prepared } from '#kernel/db/prepared.ts'
import type { Definitions, LiveVersion } from '#modules/runs/index.ts'

type LiveRow = Omit<LiveVersion, 'deadlineSec'> & { deadlineSec: number | null }

/**
 * Prevents workflows from being deleted until the transaction ends, so that a deletion finds and ends the runs it creates.
 * It must be a separate statement before the read: a statement that waits for a publication and then reads would miss the
 * new version.
 */
export const holdWorkflowsUnscoped = async (tx: Db, workflowIds: readonly string[]): Promise<void> => {
  if (workflowIds.length === 0) return
  await prepared`
    select 1 from workflows where id = any(${workflowIds}::uuid[]) order by id for key share`.execute(tx)
}

/** Drafts don't count: only the live snapshot, and only while the workflow may run. */
export const findLiveVersionsUnscoped: Definitions['findLiveUnscoped'] = async (tx, workflowIds) => {
  if (workflowIds.length === 0) return new Map()
  const { rows } = await prepared<LiveRow>`
    select w.id as workflow_id, w.name as workflow_name, w.scope_id, w.space_id, w.run_as_user_id,
      v.id as version_id, v.version, v.graph_hash, (g.graph -> 'settings' ->> 'deadline_sec')::integer as deadline_sec
    from workflows w
    join workflow_versions v on v.id = w.live_version_id
    join workflow_graphs g on g.workflow_id = v.workflow_id and g.hash = v.graph_hash
    where w.is_live and w.id = any(${workflowIds}::uuid[])`.execute(tx)
  return new Map(
    rows.map((row) => [row.workflowId, { ...row, deadlineSec: row.deadlineSec ?? defaultDeadlineSec }] as const),
  )
}
