/** What happens to batches whose dispatch failed: from then on each of their events is dispatched alone. */
import type { EventBusContext } from '../context.ts'
import { partBatchRows } from '../queries/batches.ts'
import type { DueEvents } from '../queries/dispatches.ts'

export const partBatches = (
  { clock, db, failpoints }: Pick<EventBusContext, 'clock' | 'db' | 'failpoints'>,
  failed: DueEvents,
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await failpoints.hit('failure: together')
    await partBatchRows(tx, failed, clock.now())
    await failpoints.hit('failure: parted')
  })
