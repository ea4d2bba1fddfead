/** Tells nodes that wait for an event that it came, in the transaction of its dispatch. */

import type { Db } from '#kernel/db/database.ts'
import { instanceScope } from '#kernel/http/scope.ts'
import type { Dispatched, EventHead } from '#modules/event-bus/index.ts'
import type { RunWaitsTable } from '../run-tables.ts'
import type { EngineContext } from './context.ts'
import { eventState } from './event-state.ts'
import { eventTest } from './event-test.ts'
import { nudgeRunsUnscoped } from './queries/claims.ts'
import { listAwaitedUnscoped, lockWaitsUnscoped, noteArrival } from './queries/waits.ts'

/** Answers the runs for which something came. */
export const hearEvents = async (
  { kernel }: Pick<EngineContext, 'kernel'>,
  tx: Db,
  dispatched: Dispatched,
): Promise<string[]> => {
  const eventTypes = await listAwaitedUnscoped(tx, dispatched.eventTypes)
  if (eventTypes.length === 0) return []
  const heads = await dispatched.listHeads(eventTypes)
  const correlationIds = [...new Set(heads.map(({ correlationId }) => correlationId))]
  const waits = await lockWaitsUnscoped(tx, { eventTypes, correlationIds })
  const awaited = heads.filter((head) => waits.some((wait) => concerns(wait, head)))
  if (awaited.length === 0) return []
  const events = await dispatched.read(awaited)
  const at = kernel.clock.now()
  const nudged: string[] = []
  for (const wait of waits) {
    const test = eventTest(wait.filterExpr)
    const event = events.find((one) => concerns(wait, one) && test(one))
    if (!event) continue
    await noteArrival(tx, { stepId: wait.stepId, event: eventState(event), at })
    await kernel.failpoints.hit('hear: arrival noted')
    nudged.push(wait.runId)
  }
  await nudgeRunsUnscoped(tx, nudged, at)
  return nudged
}

/** A run without a correlation of its own hears every event of its scope. */
const concerns = ({ eventType, scopeId, correlationId }: RunWaitsTable, event: EventHead): boolean =>
  event.eventType === eventType &&
  (event.scopeId === scopeId || event.scopeId === instanceScope) &&
  (correlationId === null || event.correlationId === correlationId)
