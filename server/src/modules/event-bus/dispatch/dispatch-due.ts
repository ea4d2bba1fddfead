/**
 * Dispatches a batch of events in one transaction: the decisions, the runs they start and the removal from the queue are
 * committed together or not at all. A crash leaves the batch queued, and the next dispatcher starts it over.
 */
import type { Db } from '#kernel/db/database.ts'
import type { EventBusContext } from '../context.ts'
import type { Dispatched, Firing, FiringResult } from '../interface.ts'
import { type DeliveryRow, insertDeliveriesUnscoped, readHistoryUnscoped } from '../queries/deliveries.ts'
import { claimDispatchUnscoped, type DueEvents, renewLeaseUnscoped } from '../queries/dispatches.ts'
import { listEventsBySeqUnscoped, listHeadsBySeqUnscoped } from '../queries/events.ts'
import { type Decisions, decide, type History, type Match } from './decide.ts'
import { assessFilters } from './filter-health.ts'
import { filterTester } from './filter-tester.ts'
import { countWindowMs } from './loop-guard.ts'
import { recordFilterFailures } from './record-filter-failures.ts'
import { createRunCounts } from './run-counts.ts'
import type { SubscriptionIndex } from './subscription-index.ts'

/** Removes due events from the queue, in the transaction that dispatches them. */
export type TakeDue = (tx: Db, now: Date) => Promise<DueEvents>

interface Request {
  take: TakeDue
  /** Called with what was taken, before anything can fail because of it. */
  onTaken?(taken: DueEvents): void
}

/** Undefined while another node dispatches. */
export const dispatchDue = async (
  context: EventBusContext,
  index: SubscriptionIndex,
  { take, onTaken }: Request,
): Promise<DueEvents | undefined> => {
  const { clock, db, failpoints, ports } = context
  const taken = await db.transaction().execute(async (tx) => {
    if (!(await claimDispatchUnscoped(tx))) return undefined
    await failpoints.hit('dispatch: claimed')
    const now = clock.now()
    const due = await take(tx, now)
    if (due.seqs.length === 0) return due
    onTaken?.(due)
    await failpoints.hit('dispatch: taken')

    const { find, hasSubscribers } = await index.atVersion(tx, due.subscriptionsVersion)
    const wanted = due.eventTypes.filter(hasSubscribers)
    const events = wanted.length > 0 ? await listEventsBySeqUnscoped(tx, { seqs: due.seqs, eventTypes: wanted }) : []
    const matches = events.map((event) => ({ event, subscriptions: find(event) }))
    await decideAndStart(context, tx, { matches: matches.filter(({ subscriptions }) => subscriptions.length > 0), now })

    for (const listener of ports.listeners) await listener(tx, presentDispatched(tx, due))
    await failpoints.hit('dispatch: listeners called')
    return due
  })
  if (taken && taken.seqs.length > 0) {
    await failpoints.hit('dispatch: committed')
    ports.starter?.onCommitted()
  }
  return taken
}

const presentDispatched = (tx: Db, { eventTypes, seqs }: DueEvents): Dispatched => ({
  eventTypes,
  listHeads: (types) => listHeadsBySeqUnscoped(tx, { seqs, eventTypes: types }),
  read: (heads) => listEventsBySeqUnscoped(tx, { seqs: heads.map(({ seq }) => seq), eventTypes }),
  renewLease: () => renewLeaseUnscoped(tx),
})

/** Decides, starts the runs of what fires, and stores every decision. */
const decideAndStart = async (
  context: EventBusContext,
  tx: Db,
  { matches, now }: { matches: readonly Match[]; now: Date },
): Promise<void> => {
  const { expressions, failpoints, ports } = context
  if (matches.length === 0) return
  const decisions = await decide(matches, await readHistory(tx, matches, now), filterTester(expressions, tx))
  await failpoints.hit('dispatch: decided')
  const results =
    decisions.firings.length > 0 && ports.starter
      ? await ports.starter.start(tx, decisions.firings)
      : decisions.firings.map(() => noStarter)
  await failpoints.hit('dispatch: runs started')
  const { failures, healthyIds } = assessFilters(decisions)
  await insertDeliveriesUnscoped(tx, { deliveries: toDeliveries(decisions, results, now), healthyIds })
  await failpoints.hit('dispatch: decisions stored')
  if (failures.length > 0) await recordFilterFailures(context, tx, { failures, now })
}

const noStarter: FiringResult = {
  decision: 'workflow_not_published',
  runId: null,
  reason: 'This server does not run workflows.',
}

const readHistory = async (tx: Db, matches: readonly Match[], now: Date): Promise<History> => {
  const { decided, fired } = await readHistoryUnscoped(tx, {
    eventIds: matches.map(({ event }) => event.eventId),
    correlationIds: [...new Set(matches.map(({ event }) => event.correlationId))],
    since: new Date(now.getTime() - countWindowMs),
  })
  const pairs = new Set(decided.map(({ eventId, subscriptionId }) => `${eventId} ${subscriptionId}`))
  return {
    isDecided: ({ eventId }, subscriptionId) => pairs.has(`${eventId} ${subscriptionId}`),
    runCounts: createRunCounts(fired),
  }
}

const toDeliveries = (
  { firings, refusals }: Decisions,
  results: readonly FiringResult[],
  decidedAt: Date,
): DeliveryRow[] => {
  const row = (
    { event, subscription }: Firing,
    result: Omit<FiringResult, 'decision'> & Pick<DeliveryRow, 'decision'>,
  ) => ({
    eventId: event.eventId,
    subscriptionId: subscription.id,
    scopeId: subscription.scopeId,
    subscriptionName: subscription.name,
    workflowId: subscription.workflowId,
    correlationId: event.correlationId,
    decision: result.decision,
    runId: result.runId,
    reason: result.reason,
    decidedAt,
  })
  return [
    ...firings.map((firing, index) => {
      const result = results[index]
      if (!result) throw new Error('the run starter returned no result for a firing')
      return row(firing, result)
    }),
    ...refusals.map(({ decision, reason, ...firing }) => row(firing, { decision, reason, runId: null })),
  ]
}
