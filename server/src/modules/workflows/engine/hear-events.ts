/** Tells nodes that wait for an event that it came, in the transaction of its dispatch. */
import type { Db } from '#kernel/db/database.ts'
import { compileExpression, type Expression, ExpressionError } from '#kernel/expression/index.ts'
import { instanceScope, type StoredEvent } from '#modules/event-bus/index.ts'
import { filterNames } from '../graph/config-rules.ts'
import type { RunWaitsTable } from '../run-tables.ts'
import type { EngineContext } from './context.ts'
import { eventState } from './event-state.ts'
import { nudgeRunsUnscoped } from './queries/claims.ts'
import { lockWaitsUnscoped, noteArrival } from './queries/waits.ts'

/** Answers the runs for which something came. */
export const hearEvents = async (
  { kernel }: Pick<EngineContext, 'kernel'>,
  tx: Db,
  events: readonly StoredEvent[],
): Promise<string[]> => {
  const waits = await lockWaitsUnscoped(tx, [...new Set(events.map(({ eventType }) => eventType))])
  const at = kernel.clock.now()
  const nudged: string[] = []
  for (const wait of waits) {
    const test = testOf(wait.filterExpr)
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
const concerns = ({ eventType, scopeId, correlationId }: RunWaitsTable, event: StoredEvent): boolean =>
  event.eventType === eventType &&
  (event.scopeId === scopeId || event.scopeId === instanceScope) &&
  (correlationId === null || event.correlationId === correlationId)

/** As a subscription's filter sees it. */
const variablesOf = (event: StoredEvent): readonly unknown[] => {
  const { id, type, ...rest } = eventState(event)
  return [event.payload, { id, type, event_id: id, event_type: type, user_id: event.userId, ...rest }]
}

/** A filter that fails on an event does not hold for it. */
const testOf = (text: string | null): ((event: StoredEvent) => boolean) => {
  if (text === null) return () => true
  const expression: Expression = compileExpression(text, filterNames)
  return (event) => {
    try {
      return expression.test(variablesOf(event))
    } catch (problem) {
      if (problem instanceof ExpressionError) return false
      throw problem
    }
  }
}
