/** Starts a published workflow by hand. A request that is sent again under the same name finds the run of the first. */

import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import { getWorkflow } from '../definitions/get-workflow.ts'
import { findCatalogUnscoped } from '../queries/catalogs.ts'
import { findLiveVersionsUnscoped, holdWorkflowsUnscoped } from '../queries/live-versions.ts'
import type { RunKeysTable } from '../run-tables.ts'
import type { EngineContext } from './context.ts'
import { draftRun, insertDrafts } from './create-runs.ts'
import { getRun } from './get-run.ts'
import { claimRunKey } from './queries/run-keys.ts'
import type { RunRow } from './queries/runs.ts'

interface Request {
  workflowId: string
  input: unknown
  catalogId: string | null
  /** What the caller names the request; for a day it starts one run. */
  key: string | undefined
}

const keyLifeMs = 24 * 3_600_000

/** On behalf of whoever starts it. */
export const startRun = async (
  context: EngineContext,
  actor: Actor,
  { workflowId, input, catalogId, key }: Request,
): Promise<RunRow> => {
  const { kernel, organizations } = context
  const scopeId = scopeOf(actor)
  const run = await kernel.db.transaction().execute(async (tx) => {
    await organizations.requireWritable(tx, actor)
    await getWorkflow(tx, actor, workflowId)
    const id = kernel.ids.next()
    const first = key === undefined ? id : await claim(context, tx, { userId: actor.id, workflowId, key, runId: id })
    if (first !== id) return getRun(tx, actor, first)
    await holdWorkflowsUnscoped(tx, [workflowId])
    const live = (await findLiveVersionsUnscoped(tx, [workflowId])).get(workflowId)
    if (!live) throw new AppError('workflow_not_published')
    if (catalogId !== null && !(await findCatalogUnscoped(tx, { id: catalogId, scopeId })))
      throw new AppError('catalog_not_found')
    const draft = draftRun(kernel, {
      ...{ live, trigger: { kind: 'manual', id: null }, input: { input: input ?? null }, eventId: null },
      ...{ correlationId: null, isOnePerCorrelation: false, userId: actor.id, catalogId, spaceId: live.spaceId },
      ...{ parent: null, cause: { hop: 0, chain: [], rootEventId: null } },
    })
    const made = { ...draft, id }
    await insertDrafts(tx, [made])
    return made as RunRow
  })
  context.wake()
  return run
}

const claim = (
  { kernel: { clock } }: EngineContext,
  tx: Db,
  named: Omit<RunKeysTable, 'expiresAt'>,
): Promise<string> => {
  const now = clock.now()
  return claimRunKey(tx, { ...named, expiresAt: new Date(now.getTime() + keyLifeMs) }, now)
}
