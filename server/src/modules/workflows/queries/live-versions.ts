/** What starts when a workflow is started now. */
import { sql } from 'kysely'
import type { FindLiveVersions } from '../engine-face.ts'

const defaultDeadlineSec = 86_400

/** Drafts, however far they went, are not looked at: only the live snapshot, and only while it may fire. */
export const findLiveVersionsUnscoped: FindLiveVersions = async (tx, workflowIds) => {
  if (workflowIds.length === 0) return new Map()
  const rows = await tx
    .selectFrom('workflows as w')
    .innerJoin('workflowVersions as v', 'v.id', 'w.liveVersionId')
    .innerJoin('workflowGraphs as g', (join) =>
      join.onRef('g.workflowId', '=', 'v.workflowId').onRef('g.hash', '=', 'v.graphHash'),
    )
    .select(['w.id as workflowId', 'w.name as workflowName', 'w.scopeId', 'w.spaceId', 'w.authorId'])
    .select(['v.id as versionId', 'v.version', 'v.graphHash'])
    .select(sql<number | null>`(g.graph -> 'settings' ->> 'deadline_sec')::integer`.as('deadlineSec'))
    .where('w.isLive', '=', true)
    .where('w.id', 'in', workflowIds)
    .execute()
  return new Map(
    rows.map((row) => [row.workflowId, { ...row, deadlineSec: row.deadlineSec ?? defaultDeadlineSec }] as const),
  )
}
