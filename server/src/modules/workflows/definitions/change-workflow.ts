/**
 * Changes a workflow. A new graph makes it a draft that has to be reviewed again, even if it was in review; the live
 * version keeps running until the change is published. Saving over someone else's change is a conflict.
 */

import type { Graph } from '@chancery/contract/workflows/graph.ts'
import type { WorkflowPut } from '@chancery/contract/workflows/workflows.ts'
import type { Updateable } from 'kysely'
import type { z } from 'zod'
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { hashGraph, restoreSecrets } from '#modules/workflow-graph/index.ts'
import { requireSpace } from '../catalogs/get-space.ts'
import type { WorkflowsContext } from '../context.ts'
import { holdOwnWorkflow, type LockedWorkflow, updateWorkflowUnscoped } from '../queries/workflows.ts'
import type { WorkflowsTable } from '../tables.ts'
import { getLockedWorkflow } from './get-workflow.ts'
import { requireOwnTools } from './require-own-tools.ts'
import { noReviewStep } from './review-step.ts'
import { openGraph, sealGraph } from './sealed-graph.ts'

interface WorkflowChange {
  id: string
  body: z.output<typeof WorkflowPut>
  from: Origin
}

export const changeWorkflow = (
  context: WorkflowsContext,
  actor: Actor,
  { id, body, from }: WorkflowChange,
): Promise<void> =>
  context.kernel.db.transaction().execute(async (tx) => {
    await context.organizations.requireWritable(tx, actor)
    // In the order of their ids, so that two workflows that name each other at the same time don't deadlock.
    const { error_workflow_id: named } = body
    if (named && named.toLowerCase() < id) await holdOwnWorkflow(tx, actor, named)
    const workflow = await getLockedWorkflow(tx, actor, id)
    await requireSpace(tx, actor, body.space_id)

    if (named !== workflow.errorWorkflowId) await requireErrorWorkflow(context, tx, actor, { id, named })
    const now = context.kernel.clock.now()
    const change = {
      ...fieldChange(workflow, body, now),
      ...(body.graph && graphChange(context, workflow, body.graph)),
    }
    const isStale = body.graph_hash !== undefined && body.graph_hash !== workflow.graphHash
    const isEmpty = Object.keys(change).length === 0
    // The same graph again is a retry whose first reply was lost: nobody else has changed anything.
    if (isStale && !(isEmpty && body.graph)) throw new AppError('graph_changed')
    if (isEmpty) return
    await updateWorkflowUnscoped(tx, id, { ...change, updatedAt: now })
    const fields = Object.keys(change).filter((name) => name !== 'graphHash' && name !== 'errorWorkflowSince')
    // The editor saves as one types: an editing session is one entry.
    const target = { kind: 'workflow', id }
    const detail = { name: workflow.name, fields }
    await context.kernel.audit.recordEdit(tx, { action: 'workflow.update', by: actor, from, target, detail })
  })

const fieldChange = (
  workflow: LockedWorkflow,
  body: WorkflowChange['body'],
  now: Date,
): Updateable<WorkflowsTable> => ({
  ...(body.name !== undefined && body.name !== workflow.name && { name: body.name }),
  ...(body.description !== undefined && body.description !== workflow.description && { description: body.description }),
  ...(body.space_id !== undefined && body.space_id !== workflow.spaceId && { spaceId: body.space_id }),
  // Failures from before don't start it.
  ...(body.error_workflow_id !== undefined &&
    body.error_workflow_id !== workflow.errorWorkflowId && {
      errorWorkflowId: body.error_workflow_id,
      errorWorkflowSince: now,
    }),
})

const requireErrorWorkflow = async (
  context: WorkflowsContext,
  tx: Db,
  actor: Actor,
  { id, named }: { id: string; named: string | null | undefined },
): Promise<void> => {
  if (!named) return
  const msg = 'must be a different workflow'
  if (named.toLowerCase() === id)
    throw new AppError('validation_failed', {
      problems: [{ loc: ['body', 'error_workflow_id'], msg, type: 'invalid' }],
    })
  if (!(await holdOwnWorkflow(tx, actor, named))) throw new AppError('workflow_not_found')
  await requireOwnTools(context, tx, actor, { workflowIds: [named] })
}

const graphChange = (
  { kernel }: WorkflowsContext,
  workflow: LockedWorkflow,
  sent: Graph,
): Updateable<WorkflowsTable> => {
  const stored = new Map(openGraph(kernel, workflow.id, workflow.graph).nodes.map((node) => [node.id, node]))
  const graph = { ...sent, nodes: sent.nodes.map((node) => restoreSecrets(node, stored.get(node.id))) }
  const graphHash = hashGraph(graph)
  if (graphHash === workflow.graphHash) return {}
  return {
    graph: sealGraph(kernel, workflow.id, graph),
    graphHash,
    status: 'Draft',
    ...(workflow.status === 'Staged' && noReviewStep),
  }
}
