/** What happens to batches whose dispatch failed: from then on each of their events is dispatched alone. */
import type { EventBusContext } from '../context.ts'
import { partBatchRows } from '../queries/batches.ts'
import { type DueEvents, lockDispatch } from '../queries/dispatches.ts'

/** Under the lock of a dispatch: another node may be about to take the same batches, and would dispatch them once more. */
export const partBatches = (
  { clock, db, failpoints, log }: Pick<EventBusContext, 'clock' | 'db' | 'failpoints' | 'log'>,
  failed: DueEvents,
  problem: unknown,
): Promise<void> => {
  log.warn({ err: problem, count: failed.count }, 'Events could not be dispatched together; each is tried alone.')
  return db.transaction().execute(async (tx) => {
    await lockDispatch(tx)
    await failpoints.hit('failure: together')
    await partBatchRows(tx, failed, clock.now())
    await failpoints.hit('failure: parted')
  })
}
