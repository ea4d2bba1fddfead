/** Saves the current graph as a Manual version. Nothing else changes. */
import type { VersionItem } from '@chancery/contract/workflows/workflows.ts'
import type { Origin } from '#kernel/audit/audit.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { WorkflowsContext } from '../context.ts'
import { getLockedWorkflow } from '../definitions/get-workflow.ts'
import { presentVersion } from '../present.ts'
import { recordWorkflowAction } from '../record-action.ts'
import { appendVersion } from './append-version.ts'

export const takeSnapshot = (
  context: WorkflowsContext,
  actor: Actor,
  { id, notes, from }: { id: string; notes: string | undefined; from: Origin },
): Promise<VersionItem> =>
  context.kernel.db.transaction().execute(async (tx) => {
    await context.organizations.requireWritable(tx, actor)
    const workflow = await getLockedWorkflow(tx, actor, id)
    const saved = await appendVersion(context, tx, {
      workflow,
      author: actor,
      type: 'Manual',
      notes: notes ?? '',
      action: 'snapshot',
    })
    await recordWorkflowAction(context, tx, {
      action: 'snapshot',
      actor,
      from,
      workflow,
      detail: { version: saved.version },
    })
    return presentVersion(saved, workflow)
  })
