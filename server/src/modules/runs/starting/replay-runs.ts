/**
 * Starts again what went wrong, from its beginning and on the version that is live now: an event for one trigger, a run,
 * or all runs of a workflow that ended badly. The old run stays as it is; a retry, in contrast, continues on its version.
 */

import type { ReplayBody, ReplayReply } from '@chancery/contract/workflows/runs.ts'
import { terminalRunStatuses } from '@chancery/contract/workflows/runs.ts'
import type { z } from 'zod'
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { routesInBoth } from '#kernel/http/gate/normalise-path.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import { countReplayable, lockReplayable, type RunRow } from '../queries/runs.ts'
import { takeRunsNow } from '../quotas.ts'
import type { RunsContext } from '../shared/context.ts'
import { buildRun, insertNewRuns } from '../shared/create-runs.ts'
import { getRun } from '../shared/get-run.ts'
import type { LiveVersion, NewRun } from '../shared/new-run.ts'
import { recordRunAction } from '../shared/record-run-action.ts'
import { getLiveUnscoped } from './get-live.ts'
import { newRun } from './start-runs.ts'

const maxAtOnce = 200

interface Replaying {
  actor: Actor
  from: Origin
}

/** Triggered runs act for the workflow's owner, as before; others for the person who replays them. */
const againOf = (before: RunRow, live: LiveVersion, actor: Actor): NewRun => ({
  live,
  trigger: { kind: before.triggerKind, id: before.triggerId },
  input: before.input,
  eventId: before.eventId,
  correlationId: before.correlationId,
  isOnePerCorrelation: before.isOnePerCorrelation,
  replayOf: before.id,
  userId: before.triggerKind === 'manual' ? actor.id : live.runAsUserId,
  allowedRoutes: routesInBoth(before.allowedRoutes, actor.credential.allowedRoutes),
  catalogId: before.catalogId,
  spaceId: before.spaceId,
  parent: null,
  cause: { hop: before.hop, chain: before.chain, rootEventId: before.rootEventId },
})

/** Returns the runs that were created; one whose correlation has an active run is left out. */
const insertAgain = async (
  context: RunsContext,
  tx: Db,
  { runs, actor, from }: Replaying & { runs: readonly NewRun[] },
): Promise<RunRow[]> => {
  takeRunsNow(context.kernel, scopeOf(actor), runs.length)
  const built = runs.map((run) => buildRun(context.kernel, run))
  const results = await insertNewRuns(tx, built)
  const created = built.filter((_, index) => 'runId' in (results[index] ?? {})) as RunRow[]
  for (const run of created)
    await recordRunAction(context, tx, {
      action: 'replay',
      actor,
      from,
      run,
      detail: { replayed: run.replayOf, event: run.eventId },
    })
  return created
}

const inTransaction = async <Result>(
  context: RunsContext,
  actor: Actor,
  work: (tx: Db) => Promise<Result>,
): Promise<Result> => {
  const result = await context.kernel.db.transaction().execute(async (tx) => {
    await context.organizations.requireWritable(tx, actor)
    return work(tx)
  })
  context.wake()
  return result
}

const onlyRun = ([run]: readonly RunRow[]): RunRow => {
  if (!run) throw new AppError('run_active')
  return run
}

export const replayRun = (context: RunsContext, { actor, from, id }: Replaying & { id: string }): Promise<RunRow> =>
  inTransaction(context, actor, async (tx) => {
    const before = await getRun(tx, actor, id)
    if (!terminalRunStatuses.includes(before.status)) throw new AppError('run_not_replayable')
    if (before.isTest || before.parentRunId !== null) throw new AppError('run_not_replayable')
    const live = await getLiveUnscoped(context.definitions, tx, before.workflowId)
    return onlyRun(await insertAgain(context, tx, { runs: [againOf(before, live, actor)], actor, from }))
  })

export const replayEvent = (
  context: RunsContext,
  { actor, from, ...request }: Replaying & { workflowId: string; triggerId: string; eventId: string },
): Promise<RunRow> =>
  inTransaction(context, actor, async (tx) => {
    const { id: workflowId } = await context.definitions.getOwn(tx, actor, request.workflowId)
    const subscriptions = await context.bus.listSubscriptionsUnscoped(tx, [workflowId])
    const subscription = subscriptions.find(({ id }) => id === request.triggerId.toLowerCase())
    if (!subscription) throw new AppError('trigger_not_found')
    const event = await context.bus.findEvent(tx, actor, request.eventId)
    if (!event) throw new AppError('event_not_found')
    const live = await getLiveUnscoped(context.definitions, tx, workflowId)
    const fired = newRun({ firing: { event, subscription }, live, webhookId: undefined })
    const run = { ...fired, allowedRoutes: actor.credential.allowedRoutes }
    return onlyRun(await insertAgain(context, tx, { runs: [run], actor, from }))
  })

export const replayRuns = (
  context: RunsContext,
  { actor, from, workflowId, body }: Replaying & { workflowId: string; body: z.output<typeof ReplayBody> },
): Promise<z.input<typeof ReplayReply>> =>
  inTransaction(context, actor, async (tx) => {
    const { id } = await context.definitions.getOwn(tx, actor, workflowId)
    const filter = {
      workflowId: id,
      statuses: body.status ?? (['failed', 'timed_out'] as const),
      from: timeOf(body.from),
      to: timeOf(body.to),
      version: body.version,
    }
    const count = await countReplayable(tx, actor, filter)
    if (body.preview || count === 0) return { count, run_ids: [] }
    const live = await getLiveUnscoped(context.definitions, tx, id)
    const before = await lockReplayable(tx, actor, { ...filter, limit: maxAtOnce })
    const runs = before.map((run) => againOf(run, live, actor))
    const created = await insertAgain(context, tx, { runs, actor, from })
    return { count, run_ids: created.map((run) => run.id) }
  })

const timeOf = (seconds: number | undefined): Date | undefined =>
  seconds === undefined ? undefined : new Date(seconds * 1000)
