/** Whether an event is the one that a node waits for: its filter is a subscription's, and one that fails does not hold. */
import { compileFilter, filterValues, type StoredEvent } from '#modules/event-bus/index.ts'

export const eventTest = (filterExpr: string | null): ((event: StoredEvent) => boolean) => {
  if (filterExpr === null) return () => true
  const filter = compileFilter(filterExpr)
  return (event) => {
    const verdict = filter(filterValues(event))
    return 'holds' in verdict && verdict.holds
  }
}
