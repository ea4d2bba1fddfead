/** The event bus's port: starts runs for events that fire, in the transaction of their dispatch. */
import type { Db } from '#kernel/db/database.ts'
import type { EventListener, Firing, FiringResult, RunStarter } from '#modules/event-bus/index.ts'
import type { CreatedRun, LiveVersion, NewRun } from '../engine-face.ts'
import { findLiveVersionsUnscoped, holdWorkflowsUnscoped } from '../queries/live-versions.ts'
import { findOpenScopes } from '../triggers/is-scope-open.ts'
import { findWebhooksOfUnscoped } from '../triggers/queries/webhooks.ts'
import { isWebhookSource } from '../triggers/webhook-source.ts'
import type { EngineContext } from './context.ts'
import { buildRun, insertNewRuns } from './create-runs.ts'
import { deliverToWaits } from './deliver-to-waits.ts'
import { eventState } from './event-state.ts'
import type { RunRow } from './queries/claims.ts'
import type { Scheduler } from './scheduler.ts'

export interface Starting {
  firing: Firing
  live: LiveVersion
  /** The webhook whose own subscription fired: then the webhook started the run. */
  webhookId: string | undefined
}

/** A run for an event that fires a subscription. */
export const newRun = ({ firing: { event, subscription }, live, webhookId }: Starting): NewRun => ({
  live,
  trigger: webhookId === undefined ? { kind: 'event', id: subscription.id } : { kind: 'webhook', id: webhookId },
  input: { _event: eventState(event) },
  eventId: event.eventId,
  correlationId: event.correlationId,
  userId: live.runAsUserId,
  parent: null,
  isOnePerCorrelation: subscription.concurrency === 'one_per_correlation',
  catalogId: subscription.catalogId,
  spaceId: subscription.spaceId ?? live.spaceId,
  cause: { hop: event.hop, chain: event.chain, rootEventId: event.rootEventId },
})

const notPublished: FiringResult = {
  decision: 'workflow_not_published',
  runId: null,
  reason: 'The workflow has no published version that can be started.',
}

const scopeClosed: FiringResult = {
  decision: 'workflow_not_published',
  runId: null,
  reason: 'The organization is deactivated or read-only, or the person who owns the workflow has left.',
}

const resultOf = (created: CreatedRun): FiringResult =>
  'runId' in created
    ? { decision: 'fired', runId: created.runId, reason: null }
    : {
        decision: 'skipped_active_run',
        runId: created.blockedBy,
        reason: `Run ${created.blockedBy} of the same correlation is active.`,
      }

export interface Starter extends RunStarter {
  listen: EventListener
}

type Capacity = Pick<Scheduler, 'capacity' | 'resume' | 'wake'>

/**
 * Runs for which this node has room are created as held by it and start when the dispatch has committed, without being
 * claimed. The bus dispatches one batch after the other; what a failed batch had created is forgotten.
 */
export const createStarter = (context: EngineContext, { capacity, resume, wake }: Capacity): Starter => {
  let created: { tx: Db; held: readonly RunRow[] } | undefined
  let nudged: string[] = []
  return {
    start: async (tx, firings) => {
      const { results, held } = await startFirings(context, tx, { firings, ...capacity() })
      created = { tx, held }
      return results
    },
    listen: async (tx, dispatched) => {
      // Called in every dispatch, after its runs were created: those of another transaction were rolled back.
      if (created?.tx !== tx) created = undefined
      nudged = await deliverToWaits(context, tx, dispatched)
    },
    onCommitted: () => {
      // Most events start no run and are awaited by none.
      const hasWork = created !== undefined || nudged.length > 0
      for (const run of created?.held ?? []) resume({ run, steps: [] })
      created = undefined
      if (nudged.length > 0) context.notifier.nudge(nudged)
      nudged = []
      if (hasWork) wake()
    },
  }
}

const startFirings = async (
  context: EngineContext,
  tx: Db,
  { firings, free, nodeId }: { firings: readonly Firing[] } & ReturnType<Scheduler['capacity']>,
): Promise<{ results: FiringResult[]; held: RunRow[] }> => {
  const workflowIds = [...new Set(firings.map(({ subscription }) => subscription.workflowId))]
  await holdWorkflowsUnscoped(tx, workflowIds)
  const versions = await findLiveVersionsUnscoped(tx, workflowIds)
  const scopeIds = [...versions.values()].map(({ scopeId }) => scopeId)
  const openScopes = await findOpenScopes(context, tx, scopeIds)
  const webhooks = await findWebhooks(tx, firings)
  const starting = firings.flatMap((firing): Starting[] => {
    const { id, workflowId } = firing.subscription
    const live = versions.get(workflowId)
    return live && openScopes.has(live.scopeId) ? [{ firing, live, webhookId: webhooks.get(id) }] : []
  })
  const runs = starting.map((one, index) => buildRun(context.kernel, newRun(one), index < free ? nodeId : undefined))
  const created = await insertNewRuns(tx, runs)
  const byFiring = new Map(starting.map(({ firing }, index) => [firing, created[index]]))
  const results = firings.map((firing) => {
    const result = byFiring.get(firing)
    if (result) return resultOf(result)
    return versions.has(firing.subscription.workflowId) ? scopeClosed : notPublished
  })
  const held = runs.filter(({ leaseNode }, index) => 'runId' in (created[index] ?? {}) && leaseNode !== null)
  return { results, held: held as RunRow[] }
}

/** Webhooks by the subscription each of them fires. Only events of webhooks can fire one. */
const findWebhooks = (tx: Db, firings: readonly Firing[]): Promise<ReadonlyMap<string, string>> => {
  const candidates = firings.filter(({ event }) => isWebhookSource(event.source))
  const subscriptionIds = candidates.map(({ subscription }) => subscription.id)
  return findWebhooksOfUnscoped(tx, subscriptionIds)
}
