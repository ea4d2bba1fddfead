/**
 * Decides for a batch of events in one transaction: the decisions, the runs they start and the end of the dispatch all
 * exist or none does. A crash at any point leaves the dispatch to be done again, from the start, by whoever is next.
 */
import type { Db } from '#kernel/db/database.ts'
import type { EventBusContext } from '../context.ts'
import type { EventHead, Firing, FiringResult, StoredEvent } from '../face.ts'
import { batchBytes } from '../payload.ts'
import { countFiredUnscoped, type DeliveryRow, insertDeliveries, listDecidedUnscoped } from '../queries/deliveries.ts'
import { lockDispatch, type Places, takeDueEventsUnscoped } from '../queries/dispatches.ts'
import { listEventsByIdUnscoped } from '../queries/events.ts'
import { type Decisions, decide, type Match, type Past } from './decide.ts'
import { createFuse } from './fuse.ts'
import { fuseMs } from './loop-guard.ts'
import type { SubscriptionIndex } from './subscription-index.ts'

interface Which {
  places: Places
  limit: number
  /** Told which were read, before anything can go wrong with them. */
  onRead?(seqs: readonly number[]): void
}

interface Dispatched {
  count: number
  /** The place of the last of them. */
  last: number
  /** More may be due. */
  isFull: boolean
}

export const dispatchDue = async (
  context: EventBusContext,
  index: SubscriptionIndex,
  which: Which,
): Promise<Dispatched> => {
  const { clock, db, failpoints, ports } = context
  const done = await db.transaction().execute(async (tx) => {
    await lockDispatch(tx)
    await failpoints.hit('dispatch: locked')
    const now = clock.now()
    const due = { ...which, bytes: batchBytes, now, heardTypes: index.heardTypes() }
    const { events, isFull, subscriptionsVersion } = await takeDueEventsUnscoped(tx, due)
    if (events.length === 0) return { count: 0, last: 0, isFull }
    which.onRead?.(events.map(({ seq }) => seq))
    await failpoints.hit('dispatch: taken')

    const find = await index.freshAs(tx, subscriptionsVersion)
    const wanted = await readWhole(
      tx,
      events.filter((event) => find(event).length > 0),
    )
    await settle(context, tx, { matches: wanted.map((event) => ({ event, subscribed: find(event) })), now })

    for (const listener of ports.listeners) await listener(tx, events, (heads) => readWhole(tx, heads))
    await failpoints.hit('dispatch: listeners told')
    return { count: events.length, last: events.at(-1)?.seq ?? 0, isFull }
  })
  if (done.count > 0) {
    await failpoints.hit('dispatch: committed')
    ports.starter?.onCommitted()
  }
  return done
}

const isWhole = (event: EventHead | StoredEvent): event is StoredEvent => 'payload' in event

/** In the order of the stream. What was read already is not read again. */
const readWhole = async (tx: Db, events: readonly (EventHead | StoredEvent)[]): Promise<StoredEvent[]> => {
  const heads = events.filter((event) => !isWhole(event))
  if (heads.length === 0) return events.filter(isWhole)
  const read = await listEventsByIdUnscoped(
    tx,
    heads.map(({ eventId }) => eventId),
  )
  return [...events.filter(isWhole), ...read].sort((one, other) => one.seq - other.seq)
}

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
