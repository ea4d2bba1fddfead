/**
 * Saves the workflow's graph as its next version, together with other changes of the workflow. The caller holds the row's
 * lock, so version numbers have no gaps.
 */
import type { VersionItem } from '@chancery/contract/workflows/workflows.ts'
import type { Updateable } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { WorkflowsContext } from '../context.ts'
import { insertGraphUnscoped, insertVersionUnscoped, type VersionRow } from '../queries/versions.ts'
import { type LockedWorkflow, updateWorkflowUnscoped } from '../queries/workflows.ts'
import type { WorkflowsTable } from '../tables.ts'

interface NewVersion {
  workflow: LockedWorkflow
  author: Actor
  type: VersionItem['type']
  notes: string
  rolledBackTo?: number
  /** Further changes of the workflow's row, given the version. */
  change?: (version: VersionRow) => Updateable<WorkflowsTable>
  /** For the names of failpoints. */
  action: 'publish' | 'snapshot' | 'rollback'
}

export const appendVersion = async (
  { kernel: { ids, clock, failpoints } }: WorkflowsContext,
  tx: Db,
  { workflow, author, type, notes, rolledBackTo, change, action }: NewVersion,
): Promise<VersionRow> => {
  const { id: workflowId, graphHash, graph } = workflow
  const version: VersionRow = {
    id: ids.next(),
    workflowId,
    version: workflow.lastVersion + 1,
    type,
    graphHash,
    notes,
    rolledBackTo: rolledBackTo ?? null,
    authorId: author.id,
    authorName: author.name,
    createdAt: clock.now(),
  }
  await failpoints.hit(`workflow ${action}: locked`)
  await insertGraphUnscoped(tx, { workflowId, hash: graphHash, graph })
  await failpoints.hit(`workflow ${action}: graph prepared`)
  await insertVersionUnscoped(tx, version)
  await failpoints.hit(`workflow ${action}: version prepared`)
  await updateWorkflowUnscoped(tx, workflowId, { ...change?.(version), lastVersion: version.version })
  await failpoints.hit(`workflow ${action}: workflow changed`)
  return version
}
