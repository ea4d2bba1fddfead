/**
 * Decides for a batch of events in one transaction: the decisions, the runs they start and the end of the dispatch all
 * exist or none does. A crash at any point leaves the dispatch to be done again, from the start, by whoever is next.
 */
import type { Db } from '#kernel/db/database.ts'
import type { EventBusContext } from '../context.ts'
import type { Dispatched, Firing, FiringResult } from '../face.ts'
import { countFiredUnscoped, type DeliveryRow, insertDeliveries, listDecidedUnscoped } from '../queries/deliveries.ts'
import { type DueEvents, lockDispatch } from '../queries/dispatches.ts'
import { listEventsAtUnscoped, listHeadsAtUnscoped } from '../queries/events.ts'
import { type Decisions, decide, type Match, type Past } from './decide.ts'
import { createFuse } from './fuse.ts'
import { fuseMs } from './loop-guard.ts'
import type { SubscriptionIndex } from './subscription-index.ts'

/** Takes what is to be dispatched away from there, in the transaction of its dispatch. */
export type Take = (tx: Db, now: Date) => Promise<DueEvents>

interface Which {
  take: Take
  /** Told what was taken, before anything can go wrong with it. */
  onTaken?(taken: DueEvents): void
}

export const dispatchDue = async (
  context: EventBusContext,
  index: SubscriptionIndex,
  { take, onTaken }: Which,
): Promise<DueEvents> => {
  const { clock, db, failpoints, ports } = context
  const taken = await db.transaction().execute(async (tx) => {
    await lockDispatch(tx)
    await failpoints.hit('dispatch: locked')
    const now = clock.now()
    const due = await take(tx, now)
    if (due.count === 0) return due
    onTaken?.(due)
    await failpoints.hit('dispatch: taken')

    const { find, isHeard } = await index.freshAs(tx, due.subscriptionsVersion)
    const heard = due.eventTypes.filter(isHeard)
    const events = heard.length > 0 ? await listEventsAtUnscoped(tx, { ...due, eventTypes: heard }) : []
    const matches = events.map((event) => ({ event, subscribed: find(event) }))
    await settle(context, tx, { matches: matches.filter(({ subscribed }) => subscribed.length > 0), now })

    for (const listener of ports.listeners) await listener(tx, asDispatched(tx, due))
    await failpoints.hit('dispatch: listeners told')
    return due
  })
  if (taken.count > 0) {
    await failpoints.hit('dispatch: committed')
    ports.starter?.onCommitted()
  }
  return taken
}

const asDispatched = (tx: Db, { eventTypes, places }: DueEvents): Dispatched => ({
  eventTypes,
  listHeads: (types) => listHeadsAtUnscoped(tx, { places, eventTypes: types }),
  read: (heads) => listEventsAtUnscoped(tx, { places: `{${heads.map(({ seq }) => seq)}}`, eventTypes }),
})

/** Decides, starts what fires, and writes every decision down. */
const settle = async (
  { failpoints, ports }: EventBusContext,
  tx: Db,
  { matches, now }: { matches: readonly Match[]; now: Date },
): Promise<void> => {
  if (matches.length === 0) return
  const decisions = await decide(matches, await readPast(tx, matches, now))
  await failpoints.hit('dispatch: decided')
  const results =
    decisions.firings.length > 0 && ports.starter
      ? await ports.starter.start(tx, decisions.firings)
      : decisions.firings.map(() => noStarter)
  await failpoints.hit('dispatch: runs started')
  await insertDeliveries(tx, asDeliveries(decisions, results, now))
  await failpoints.hit('dispatch: decisions written')
}

const noStarter: FiringResult = {
  decision: 'workflow_not_published',
  runId: null,
  reason: 'Nothing here runs workflows.',
}

const readPast = async (tx: Db, matches: readonly Match[], now: Date): Promise<Past> => {
  const events = matches.map(({ event }) => event)
  const decided = await listDecidedUnscoped(
    tx,
    events.map(({ eventId }) => eventId),
  )
  const correlationIds = [...new Set(events.map(({ correlationId }) => correlationId))]
  const fired = await countFiredUnscoped(tx, correlationIds, new Date(now.getTime() - fuseMs))
  const pairs = new Set(decided.map(({ eventId, subscriptionId }) => `${eventId} ${subscriptionId}`))
  return {
    isDecided: ({ eventId }, subscriptionId) => pairs.has(`${eventId} ${subscriptionId}`),
    fuse: createFuse(fired),
  }
}

const asDeliveries = (
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
      if (!result) throw new Error('the run starter left a firing without a result')
      return row(firing, result)
    }),
    ...refusals.map(({ decision, reason, ...firing }) => row(firing, { decision, reason, runId: null })),
  ]
}
