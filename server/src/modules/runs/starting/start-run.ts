/** Starts a published workflow by hand. A repeated request with the same idempotency key returns the first run. */

import type { SampleEvent } from '@chancery/contract/workflows/runs.ts'
import type { Origin } from '#kernel/audit/audit.ts'
import { claimRequestKeyUnscoped } from '#kernel/db/request-keys.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { getInputUnscoped, type RunRow } from '../queries/runs.ts'
import { takeRun } from '../quotas.ts'
import type { RunsContext } from '../shared/context.ts'
import { buildRun, insertNewRuns } from '../shared/create-runs.ts'
import { eventState } from '../shared/event-state.ts'
import { getRun } from '../shared/get-run.ts'
import type { NewRun } from '../shared/new-run.ts'
import { recordRunAction } from '../shared/record-run-action.ts'
import { getLiveUnscoped } from './get-live.ts'

export interface StartRequest {
  workflowId: string
  input: unknown
  /** The event that the run sees. It is stored nowhere else and starts nothing else. */
  event: SampleEvent | undefined
  catalogId: string | null
  /** The caller's idempotency key: for a day it starts one run. */
  key: string | undefined
  from: Origin
}

/**
 * The run acts for the person who starts it. Where this node has room, it holds the run from the beginning and works on it
 * without claiming it first.
 */
export const startRun = async (
  context: RunsContext,
  actor: Actor,
  { workflowId, input, event, catalogId, key, from }: StartRequest,
): Promise<RunRow> => {
  const { kernel, organizations, definitions } = context
  const scopeId = scopeOf(actor)
  await takeRun(kernel, actor)
  const id = kernel.ids.next()
  const starting = kernel.db.transaction().execute(async (tx) => {
    await organizations.requireWritable(tx, actor)
    await definitions.getOwn(tx, actor, workflowId)
    const name = { userId: actor.id, purpose: `run ${workflowId}`, key }
    const first = await claimRequestKeyUnscoped(kernel, tx, { ...name, resultId: id })
    if (first !== id) return { run: await getRun(tx, actor, first), isNew: false }
    const live = await getLiveUnscoped(definitions, tx, workflowId)
    if (catalogId !== null && !(await definitions.hasCatalogUnscoped(tx, { id: catalogId, scopeId })))
      throw new AppError('catalog_not_found')
    const wanted: NewRun = {
      live,
      trigger: { kind: 'manual', id: null },
      input: event ? { _event: sampleState(kernel, event) } : { input: input ?? null },
      eventId: null,
      correlationId: event?.correlation_id ?? null,
      isOnePerCorrelation: false,
      userId: actor.id,
      allowedRoutes: actor.credential.allowedRoutes,
      catalogId,
      spaceId: live.spaceId,
      parent: null,
      cause: { hop: 0, chain: [], rootEventId: null },
    }
    const created = buildRun(kernel, wanted, { id, hold: context.hold })
    await insertNewRuns(tx, [created])
    await recordRunAction(context, tx, { action: 'start', actor, from, run: created })
    // As a later holder reads it: PostgreSQL orders keys and writes numbers in its own way.
    const stored = { ...created, input: await getInputUnscoped(tx, id) }
    return { run: stored as RunRow, isNew: true }
  })
  const { run, isNew } = await starting.catch((problem: unknown) => {
    context.letGo(id)
    throw problem
  })
  if (!isNew) return run
  context.begin(run)
  // The reply is the same whichever node works on the run.
  return { ...run, status: 'queued', startedAt: null }
}

/** A sample event as the run sees it. */
export const sampleState = ({ ids, clock }: Pick<Kernel, 'ids' | 'clock'>, event: SampleEvent) => {
  const eventId = ids.next()
  return eventState({
    eventId,
    eventType: event.event_type,
    payload: event.payload ?? null,
    correlationId: event.correlation_id ?? eventId,
    source: event.source ?? 'manual',
    publishedAt: clock.now(),
  })
}
