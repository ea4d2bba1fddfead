/**
 * Dispatches a batch of events in one transaction: the decisions, the runs they start and the removal from the queue are
 * committed together or not at all. A crash leaves the batch queued, and the next dispatcher starts it over. What is beyond
 * a tenant's share is queued for the tenant's own turn, in the same transaction.
 */
import type { Db } from '#kernel/db/database.ts'
import { instanceScope } from '#kernel/http/scope.ts'
import type { Purses } from '#kernel/turns/purses.ts'
import type { EventBusContext } from '../context.ts'
import type { Dispatched, Firing, FiringResult, StoredEvent, TestMetered } from '../interface.ts'
import { type DeliveryRow, insertDeliveriesUnscoped, readHistoryUnscoped } from '../queries/deliveries.ts'
import type { DueEvents, TakeRequest } from '../queries/dispatches.ts'
import { listEventsBySeqUnscoped, listHeadsBySeqUnscoped } from '../queries/events.ts'
import { type Claim, claimLanesUnscoped, renewLeaseUnscoped } from '../queries/lanes.ts'
import { insertPostponedUnscoped, listBehindUnscoped } from '../queries/postponed.ts'
import { type Decisions, decide, type History, type Limits, type Match } from './decide.ts'
import { assessFilters } from './filter-health.ts'
import { filterTester } from './filter-tester.ts'
import { countWindowMs } from './loop-guard.ts'
import { meterFilters } from './metered-filters.ts'
import { createPostponed, type Postponed } from './postponed.ts'
import { recordFilterFailures } from './record-filter-failures.ts'
import { createRunCounts } from './run-counts.ts'
import { createTurn } from './shares.ts'
import type { SubscriptionIndex } from './subscription-index.ts'

/** Removes due events from the queue, in the transaction that dispatches them. */
export type TakeDue = (tx: Db, request: TakeRequest) => Promise<DueEvents>

interface Request extends Omit<Claim, 'leaseMs' | 'node'> {
  take: TakeDue
  /** Called with what was taken, before anything can fail because of it. */
  onTaken?(taken: DueEvents): void
}

/** What the dispatches of a node share. */
export interface DispatchMemory {
  index: SubscriptionIndex
  shares: Purses
}

export interface Taken extends DueEvents {
  /** Those that were claimed. */
  lanes: readonly number[]
  /** The tenants to whose turn something was left. */
  postponed?: readonly string[]
}

/** Filter time of all tenants together in one usual dispatch, and of the tenant whose turn it is. */
const usualMs = 500
const turnMs = 250
/** The most decisions, so that no tenant's triggers keep a lane for long. */
const usualLimits: Limits = { ofScope: 1000, inTotal: 5000 }
const turnLimits: Limits = { ofScope: 500, inTotal: 500 }

/** Rolls a dispatch back, and its claim: so many subscriptions changed that they are read outside of it. */
class IndexIsBehind extends Error {}

/** Undefined while other nodes dispatch all of these lanes. */
export const dispatchDue = async (
  context: EventBusContext,
  memory: DispatchMemory,
  request: Request,
): Promise<Taken | undefined> => {
  await memory.index.prepare(context.db)
  let transaction: Db | undefined
  try {
    const taken = await context.db.transaction().execute((tx) => {
      transaction = tx
      return dispatchIn(context, memory, { ...request, tx })
    })
    if (transaction && taken && taken.seqs.length > 0) {
      await context.failpoints.hit('dispatch: committed')
      context.ports.starter?.onCommitted(transaction)
    }
    return taken
  } catch (problem) {
    if (transaction) context.ports.starter?.onRolledBack?.(transaction)
    if (!(problem instanceof IndexIsBehind)) throw problem
    await memory.index.reload(context.db)
    return dispatchDue(context, memory, request)
  }
}

const dispatchIn = async (
  context: EventBusContext,
  { index, shares }: DispatchMemory,
  { tx, lanes: asked, isPostponed = false, take, onTaken }: Request & { tx: Db },
): Promise<Taken | undefined> => {
  const { clock, expressions, failpoints, nodes, ports } = context
  const lanes = await claimLanesUnscoped(tx, { lanes: asked, node: nodes.id, isPostponed })
  if (lanes.length === 0) return undefined
  await failpoints.hit('dispatch: claimed')
  const now = clock.now()
  const due = { ...(await take(tx, { now, lanes, since: index.since() })), lanes }
  if (due.seqs.length === 0) return due
  if (index.isBehind(due.changes)) throw new IndexIsBehind()
  onTaken?.(due)
  await failpoints.hit('dispatch: taken')
  await index.follow(tx, due.changes)

  const metering = isPostponed
    ? { thread: 'postponed' as const, purse: createTurn(turnMs), totalMs: turnMs }
    : { thread: 'filters' as const, purse: shares, totalMs: usualMs }
  const postponed = createPostponed()
  const share: Share = {
    test: meterFilters(expressions, metering),
    limits: isPostponed ? turnLimits : usualLimits,
    postponed,
    isTurn: isPostponed,
  }
  const wanted = due.eventTypes.filter(index.hasSubscribers)
  const events = wanted.length > 0 ? await listEventsBySeqUnscoped(tx, { seqs: due.seqs, eventTypes: wanted }) : []
  const matches = events.flatMap((event) => matchesOf(index, event, due.scopeId))
  await decideAndStart(context, tx, { matches, now, share })

  for (const listener of ports.listeners) await listener(tx, presentDispatched(tx, due, share))
  await failpoints.hit('dispatch: listeners called')
  const pairs = postponed.pairs()
  if (pairs.length > 0) {
    await insertPostponedUnscoped(tx, pairs, now)
    await failpoints.hit('dispatch: events postponed')
  }
  return { ...due, postponed: pairs.map(({ scopeId }) => scopeId) }
}

/** What the dispatch may do for each tenant. */
interface Share {
  test: TestMetered
  limits: Limits
  postponed: Postponed
  /** Of one tenant, whose earlier events were taken. */
  isTurn: boolean
}

/** By tenant. An event of the instance reaches all scopes; an event of a scope only that scope. */
const matchesOf = (index: SubscriptionIndex, event: StoredEvent, scopeId: string | undefined): Match[] => {
  const only = scopeId ?? (event.scopeId === instanceScope ? undefined : event.scopeId)
  const scopes = only === undefined ? [...index.scopesOf(event.eventType)] : [only]
  return scopes.flatMap((each) => {
    const subscriptions = index.find(event.eventType, each)
    return subscriptions.length > 0 ? [{ event, scopeId: each, subscriptions }] : []
  })
}

const presentDispatched = (
  tx: Db,
  { eventTypes, scopeId, seqs }: DueEvents,
  { isTurn, postponed, test }: Share,
): Dispatched => ({
  eventTypes,
  scopeId,
  postponed: {
    know: async (scopeIds) => {
      if (!isTurn && scopeIds.length > 0) postponed.addBehind(await listBehindUnscoped(tx, scopeIds))
    },
    has: postponed.has,
    add: postponed.add,
  },
  testFilters: test,
  listHeads: (types) => listHeadsBySeqUnscoped(tx, { seqs, eventTypes: types }),
  read: (heads) => listEventsBySeqUnscoped(tx, { seqs: heads.map(({ seq }) => seq), eventTypes }),
  renewLease: () => renewLeaseUnscoped(tx),
})

/** Decides, starts the runs of what fires, and stores every decision. */
const decideAndStart = async (
  context: EventBusContext,
  tx: Db,
  { matches, now, share }: { matches: readonly Match[]; now: Date; share: Share },
): Promise<void> => {
  const { failpoints, ports } = context
  if (matches.length === 0) return
  const { limits, postponed, test } = share
  const { behind, ...history } = await readHistory(tx, matches, now)
  if (!share.isTurn) postponed.addBehind(behind)
  const decisions = await decide(matches, { history, limits, postponed, testFilters: filterTester(test, tx) })
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

const readHistory = async (
  tx: Db,
  matches: readonly Match[],
  now: Date,
): Promise<History & { behind: readonly string[] }> => {
  const { behind, decided, fired } = await readHistoryUnscoped(tx, {
    eventIds: [...new Set(matches.map(({ event }) => event.eventId))],
    seqs: matches.map(({ event }) => event.seq),
    scopeIds: [...new Set(matches.map(({ scopeId }) => scopeId))],
    correlationIds: [...new Set(matches.map(({ event }) => event.correlationId))],
    since: new Date(now.getTime() - countWindowMs),
  })
  const pairs = new Set(decided.map(({ eventId, subscriptionId }) => `${eventId} ${subscriptionId}`))
  return {
    behind,
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
    seq: event.seq,
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
