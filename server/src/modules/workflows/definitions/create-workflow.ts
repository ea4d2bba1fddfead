/** Makes a workflow: a draft, whatever its graph is still missing. */

import type { Graph } from '@chancery/contract/workflows/graph.ts'
import type { WorkflowBody } from '@chancery/contract/workflows/workflows.ts'
import type { z } from 'zod'
import type { Origin } from '#kernel/audit/audit.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import { hashGraph, restoreSecrets } from '#modules/workflow-graph/index.ts'
import { requireSpace } from '../catalogs/get-space.ts'
import type { WorkflowsContext } from '../context.ts'
import { insertWorkflowUnscoped } from '../queries/workflows.ts'
import { recordWorkflowAction } from '../record-action.ts'
import { noReviewStep } from './review-step.ts'
import { sealGraph } from './sealed-graph.ts'

const emptyGraph: Graph = { nodes: [], edges: [], settings: {} }

interface NewWorkflow {
  body: z.output<typeof WorkflowBody>
  from: Origin
}

export const createWorkflow = async (
  context: WorkflowsContext,
  actor: Actor,
  { body, from }: NewWorkflow,
): Promise<string> => {
  const { db, clock, ids } = context.kernel
  const id = ids.next()
  const graph = withoutHidden(body.graph ?? emptyGraph)
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    await context.organizations.requireWritable(tx, actor)
    await requireSpace(tx, actor, body.space_id)
    await insertWorkflowUnscoped(tx, {
      id,
      scopeId: scopeOf(actor),
      name: body.name,
      description: body.description ?? '',
      status: 'Draft',
      graph: sealGraph(context.kernel, id, graph),
      graphHash: hashGraph(graph),
      liveVersionId: null,
      isLive: false,
      lastVersion: 0,
      spaceId: body.space_id ?? null,
      authorId: actor.id,
      authorName: actor.name,
      runAsUserId: null,
      runAsName: null,
      ...noReviewStep,
      createdAt: now,
      updatedAt: now,
    })
    await recordWorkflowAction(context, tx, { action: 'create', actor, from, workflow: { id, name: body.name } })
  })
  return id
}

/** A graph copied from a reply has placeholders for its secrets. A new workflow has no secrets to put there. */
const withoutHidden = (graph: Graph): Graph => ({
  ...graph,
  nodes: graph.nodes.map((node) => restoreSecrets(node, undefined)),
})
