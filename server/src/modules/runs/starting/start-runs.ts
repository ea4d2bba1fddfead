/** The event bus's port: starts runs for events that fire, in the transaction of their dispatch. */
import type { Db } from '#kernel/db/database.ts'
import type { EventListener, Firing, FiringResult, RunStarter } from '#modules/event-bus/index.ts'
import type { RunRow } from '../queries/claims.ts'
import { refusalOfRun } from '../quotas.ts'
import type { RunsContext } from '../shared/context.ts'
import { buildRun, type HoldRun, insertNewRuns } from '../shared/create-runs.ts'
import { eventState } from '../shared/event-state.ts'
import type { CreatedRun, LiveVersion, NewRun } from '../shared/new-run.ts'
import { deliverToWaits } from '../waits/deliver-to-waits.ts'
import { findOpenScopes, type KnownPeople } from './open-scopes.ts'

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
  allowedRoutes: null,
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

interface Holding {
  /** Keeps a slot for a run that is about to be created. */
  hold: HoldRun
  /** The run was not created after all. */
  letGo(runId: string): void
  /** Starts work on a run that this node holds. */
  resume(held: { run: RunRow; steps: readonly never[] }): void
  /** Claims what is due now. */
  wake(): void
}

/**
 * Runs for which this node has room are created as held by it and start when the dispatch has committed, without being
 * claimed. The bus dispatches several batches side by side; what a failed batch had created is forgotten.
 */
export const createStarter = (context: RunsContext, { hold, letGo, resume, wake }: Holding): Starter => {
  const people: KnownPeople = new Set()
  /** By the dispatch that has not committed yet. */
  const created = new Map<Db, Omit<Started, 'results'>>()
  const nudged = new Map<Db, string[]>()
  const forget = (tx: Db): void => {
    created.delete(tx)
    nudged.delete(tx)
  }
  return {
    start: async (tx, firings) => {
      const { results, ...started } = await startFirings(context, tx, { firings, people, hold, letGo })
      created.set(tx, started)
      return results
    },
    listen: async (tx, dispatched) => {
      const ids = await deliverToWaits(context, tx, dispatched)
      if (ids.length > 0) nudged.set(tx, ids)
    },
    onCommitted: (tx) => {
      const { held, hasQueued } = created.get(tx) ?? { held: [], hasQueued: false }
      const ids = nudged.get(tx) ?? []
      forget(tx)
      for (const run of held) resume({ run, steps: [] })
      if (hasQueued) wake()
      if (ids.length > 0) context.notifier.nudge(ids)
    },
    onRolledBack: (tx) => {
      for (const { id } of created.get(tx)?.held ?? []) letGo(id)
      forget(tx)
    },
  }
}

interface Start extends Pick<Holding, 'hold' | 'letGo'> {
  firings: readonly Firing[]
  people: KnownPeople
}

interface Started {
  results: FiringResult[]
  /** Runs that this node holds from the beginning. */
  held: readonly RunRow[]
  /** There are others, which any node may claim. */
  hasQueued: boolean
}

const startFirings = async (
  context: RunsContext,
  tx: Db,
  { firings, people, hold, letGo }: Start,
): Promise<Started> => {
  const { definitions } = context
  const workflowIds = [...new Set(firings.map(({ subscription }) => subscription.workflowId))]
  await definitions.holdUnscoped(tx, workflowIds)
  const versions = await definitions.findLiveUnscoped(tx, workflowIds)
  const scopeIds = [...versions.values()].map(({ scopeId }) => scopeId)
  const openScopes = await findOpenScopes(context, tx, { scopeIds, people })
  const webhooks = await definitions.findWebhooksUnscoped(tx, firings)
  const refused = new Map<Firing, string>()
  const starting = firings.flatMap((firing): Starting[] => {
    const { id, workflowId } = firing.subscription
    const live = versions.get(workflowId)
    if (!live || !openScopes.has(live.scopeId)) return []
    const refusal = refusalOfRun(context.kernel, live.scopeId)
    if (refusal !== undefined) refused.set(firing, refusal)
    return refusal === undefined ? [{ firing, live, webhookId: webhooks.get(id) }] : []
  })
  const runs = starting.map((one) => buildRun(context.kernel, newRun(one), { hold }))
  const created = await insertNewRuns(tx, runs)
  for (const [index, { id }] of runs.entries()) if ('blockedBy' in (created[index] ?? {})) letGo(id)
  const byFiring = new Map(starting.map(({ firing }, index) => [firing, created[index]]))
  const results = firings.map((firing): FiringResult => {
    const result = byFiring.get(firing)
    if (result) return resultOf(result)
    const refusal = refused.get(firing)
    if (refusal !== undefined) return { decision: 'over_quota', runId: null, reason: refusal }
    return versions.has(firing.subscription.workflowId) ? scopeClosed : notPublished
  })
  const started = runs.filter((_run, index) => 'runId' in (created[index] ?? {}))
  const held = started.filter(({ leaseNode }) => leaseNode !== null)
  return { results, held: held as RunRow[], hasQueued: started.length > held.length }
}
