/** Delivers events to the nodes that wait for them, in the transaction of their dispatch. */
import type { Db } from '#kernel/db/database.ts'
import type { Expressions } from '#kernel/expressions/expressions.ts'
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
  { kernel: { clock, expressions, failpoints } }: Pick<RunsContext, 'kernel'>,
  tx: Db,
  dispatched: Dispatched,
): Promise<string[]> => {
  const eventTypes = await listAwaitedUnscoped(tx, dispatched.eventTypes)
  if (eventTypes.length === 0) return []
  const heads = await dispatched.listHeads(eventTypes)
  const correlationIds = [...new Set(heads.map(({ correlationId }) => correlationId))]
  const waits = await lockWaitsUnscoped(tx, { eventTypes, correlationIds })
  const awaited = heads.filter((head) => waits.some((wait) => isFor(wait, head)))
  if (awaited.length === 0) return []
  const events = await dispatched.read(awaited)
  const now = clock.now()
  const nudged: string[] = []
  for (let at = 0; at < waits.length; at += atOnce) {
    const some = waits.slice(at, at + atOnce)
    for (const { wait, event } of await matchWaits({ expressions, tx, dispatched }, some, events)) {
      await recordArrivalUnscoped(tx, { stepId: wait.stepId, event: eventState(event), now })
      await failpoints.hit('wait: arrival recorded')
      nudged.push(wait.runId)
    }
  }
  await nudgeRunsUnscoped(tx, nudged, now)
  return nudged
}

/** The number of waits tested in one go, each with up to 32 KB of its run. */
const atOnce = 200

/** The waits that one of the events is for, with that event. Of the others, those whose filter failed show it. */
const matchWaits = async (
  { expressions, tx, dispatched }: { expressions: Expressions; tx: Db; dispatched: Dispatched },
  waits: readonly OpenWait[],
  events: readonly StoredEvent[],
): Promise<{ wait: OpenWait; event: StoredEvent }[]> => {
  const withValues = waits.filter(({ hasFilterValues }) => hasFilterValues)
  const values = await findFilterValuesUnscoped(
    tx,
    withValues.map(({ stepId }) => stepId),
  )
  const matches = await findFirstMatches(
    expressions,
    waits.map((wait) => ({
      filterExpr: wait.filterExpr,
      filterValues: values.get(wait.stepId) ?? null,
      events: events.filter((event) => isFor(wait, event)),
    })),
    dispatched.renewLease,
  )
  const found: { wait: OpenWait; event: StoredEvent }[] = []
  for (const [index, wait] of waits.entries()) {
    const { event, problem } = matches[index] ?? {}
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
