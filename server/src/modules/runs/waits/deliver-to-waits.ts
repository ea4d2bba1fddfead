/** Delivers events to the nodes that wait for them, in the transaction of their dispatch. */
import type { Db } from '#kernel/db/database.ts'
import { instanceScope } from '#kernel/http/scope.ts'
import type { Dispatched, EventHead, StoredEvent } from '#modules/event-bus/index.ts'
import { nudgeRunsUnscoped } from '../queries/claims.ts'
import {
  findFilterValuesUnscoped,
  listAwaitedUnscoped,
  lockWaitsUnscoped,
  type OpenWait,
  recordArrivalUnscoped,
  recordFilterProblemUnscoped,
} from '../queries/waits.ts'
import type { RunsContext } from '../shared/context.ts'
import { eventState } from '../shared/event-state.ts'
import { findFirstMatches } from './match-waits.ts'

/** Returns the runs for which an event arrived. */
export const deliverToWaits = async (
  { kernel: { clock, failpoints } }: Pick<RunsContext, 'kernel'>,
  tx: Db,
  dispatched: Dispatched,
): Promise<string[]> => {
  const eventTypes = await listAwaitedUnscoped(tx, dispatched.eventTypes)
  if (eventTypes.length === 0) return []
  const heads = await dispatched.listHeads(eventTypes)
  const correlationIds = [...new Set(heads.map(({ correlationId }) => correlationId))]
  const waits = await lockWaitsUnscoped(tx, { eventTypes, correlationIds, scopeIds: scopesOf(dispatched, heads) })
  const awaited = heads.filter((head) => waits.some((wait) => isFor(wait, head)))
  if (awaited.length === 0) return []
  await dispatched.postponed.know([...new Set(waits.map(({ scopeId }) => scopeId))])
  const events = await dispatched.read(awaited)
  const now = clock.now()
  const nudged: string[] = []
  for (let at = 0; at < waits.length; at += atOnce) {
    const some = waits.slice(at, at + atOnce)
    for (const { wait, event } of await matchWaits({ tx, dispatched }, some, events)) {
      await recordArrivalUnscoped(tx, { stepId: wait.stepId, event: eventState(event), now })
      await failpoints.hit('wait: arrival recorded')
      nudged.push(wait.runId)
    }
  }
  await nudgeRunsUnscoped(tx, nudged, now)
  return nudged
}

const scopesOf = ({ scopeId }: Dispatched, heads: readonly EventHead[]): string[] | undefined => {
  if (scopeId !== undefined) return [scopeId]
  const scopes = new Set(heads.map((head) => head.scopeId))
  return scopes.has(instanceScope) ? undefined : [...scopes]
}

/** The number of waits tested in one go, each with up to 32 KB of its run. */
const atOnce = 200

/**
 * The waits that one of the events is for, with that event. Of the others, those whose filter failed show it. What is
 * beyond a tenant's share is left to its turn.
 */
const matchWaits = async (
  { tx, dispatched }: { tx: Db; dispatched: Dispatched },
  waits: readonly OpenWait[],
  events: readonly StoredEvent[],
): Promise<{ wait: OpenWait; event: StoredEvent }[]> => {
  const withValues = waits.filter(({ hasFilterValues }) => hasFilterValues)
  const values = await findFilterValuesUnscoped(
    tx,
    withValues.map(({ stepId }) => stepId),
  )
  const { postponed, testFilters } = dispatched
  const eventsFor = (wait: OpenWait): StoredEvent[] =>
    events.filter((event) => {
      if (!isFor(wait, event)) return false
      if (!postponed.has(wait.scopeId, event.seq)) return true
      postponed.add(wait.scopeId, event.seq)
      return false
    })
  const matches = await findFirstMatches(
    testFilters,
    waits.map((wait) => ({
      scopeId: wait.scopeId,
      filterExpr: wait.filterExpr,
      filterValues: values.get(wait.stepId) ?? null,
      events: eventsFor(wait),
    })),
    dispatched.renewLease,
  )
  const found: { wait: OpenWait; event: StoredEvent }[] = []
  for (const [index, wait] of waits.entries()) {
    const { event, problem, untested } = matches[index] ?? {}
    if (untested) postponed.add(wait.scopeId, untested.seq)
    if (event) found.push({ wait, event })
    else if (problem !== undefined)
      await recordFilterProblemUnscoped(tx, wait.stepId, `Still waiting: the filter failed for an event. ${problem}`)
  }
  return found
}

/** A run without a correlation id receives every event of its scope. */
const isFor = ({ eventType, scopeId, correlationId }: OpenWait, event: EventHead): boolean =>
  event.eventType === eventType &&
  (event.scopeId === scopeId || event.scopeId === instanceScope) &&
  (correlationId === null || event.correlationId === correlationId)
