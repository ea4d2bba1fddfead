/** Starts a published workflow by hand. */
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#modules/event-bus/index.ts'
import { getWorkflow } from '../definitions/get-workflow.ts'
import { findCatalogUnscoped } from '../queries/catalogs.ts'
import { findLiveVersionsUnscoped, holdWorkflowsUnscoped } from '../queries/live-versions.ts'
import type { EngineContext } from './context.ts'
import { draftRun, insertDrafts } from './create-runs.ts'
import type { RunRow } from './queries/runs.ts'

interface Request {
  workflowId: string
  input: unknown
  catalogId: string | null
}

/** On behalf of whoever starts it. */
export const startRun = async (
  context: EngineContext,
  actor: Actor,
  { workflowId, input, catalogId }: Request,
): Promise<RunRow> => {
  const { kernel, organizations } = context
  const scopeId = scopeOf(actor)
  const draft = await kernel.db.transaction().execute(async (tx) => {
    await organizations.requireWritable(tx, actor)
    await getWorkflow(tx, actor, workflowId)
    await holdWorkflowsUnscoped(tx, [workflowId])
    const live = (await findLiveVersionsUnscoped(tx, [workflowId])).get(workflowId)
    if (!live) throw new AppError('workflow_not_published')
    if (catalogId !== null && !(await findCatalogUnscoped(tx, { id: catalogId, scopeId })))
      throw new AppError('catalog_not_found')
    const drafted = draftRun(kernel, {
      ...{ live, trigger: { kind: 'manual', id: null }, input: { input: input ?? null }, eventId: null },
      ...{ correlationId: null, isOnePerCorrelation: false, userId: actor.id, catalogId, spaceId: live.spaceId },
      ...{ parent: null, cause: { hop: 0, chain: [], rootEventId: null } },
    })
    await insertDrafts(tx, [drafted])
    return drafted
  })
  context.wake()
  return draft as RunRow
}
