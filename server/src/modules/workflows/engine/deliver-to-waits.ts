/** Delivers events to the nodes that wait for them, in the transaction of their dispatch. */
import type { Db } from '#kernel/db/database.ts'
import { instanceScope } from '#kernel/http/scope.ts'
import type { Dispatched, EventHead } from '#modules/event-bus/index.ts'
import type { RunWaitsTable } from '../run-tables.ts'
import type { EngineContext } from './context.ts'
import { eventState } from './event-state.ts'
import { findFirstMatches } from './match-waits.ts'
import { nudgeRunsUnscoped } from './queries/claims.ts'
import {
  listAwaitedUnscoped,
  lockWaitsUnscoped,
  recordArrivalUnscoped,
  recordFilterProblemUnscoped,
} from './queries/waits.ts'

/** Returns the runs for which an event arrived. */
export const deliverToWaits = async (
  { kernel: { clock, expressions, failpoints } }: Pick<EngineContext, 'kernel'>,
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
  const matches = await findFirstMatches(
    expressions,
    waits.map((wait) => ({ filterExpr: wait.filterExpr, events: events.filter((event) => isFor(wait, event)) })),
  )
  for (const [index, wait] of waits.entries()) {
    const { event, problem } = matches[index] ?? {}
    if (problem !== undefined && !event)
      await recordFilterProblemUnscoped(tx, wait.stepId, `Still waiting: the filter failed for an event. ${problem}`)
    if (!event) continue
    await recordArrivalUnscoped(tx, { stepId: wait.stepId, event: eventState(event), now })
    await failpoints.hit('wait: arrival recorded')
    nudged.push(wait.runId)
  }
  await nudgeRunsUnscoped(tx, nudged, now)
  return nudged
}

/** A run without a correlation id receives every event of its scope. */
const isFor = ({ eventType, scopeId, correlationId }: RunWaitsTable, event: EventHead): boolean =>
  event.eventType === eventType &&
  (event.scopeId === scopeId || event.scopeId === instanceScope) &&
  (correlationId === null || event.correlationId === correlationId)
