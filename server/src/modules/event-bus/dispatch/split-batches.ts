/** Handles batches whose dispatch failed: each of their events is dispatched on its own from then on. */
import type { EventBusContext } from '../context.ts'
import { splitBatchesUnscoped } from '../queries/batches.ts'
import { type DueEvents, lockDispatchUnscoped } from '../queries/dispatches.ts'

/** Under the dispatch lock: another node may be about to take the same batches and would dispatch them a second time. */
export const splitBatches = (
  { clock, db, failpoints, log }: Pick<EventBusContext, 'clock' | 'db' | 'failpoints' | 'log'>,
  failed: Pick<DueEvents, 'seqs'>,
  problem: unknown,
): Promise<void> => {
  log.warn({ err: problem, count: failed.seqs.length }, 'A batch of events failed to dispatch; trying each on its own.')
  return db.transaction().execute(async (tx) => {
    await lockDispatchUnscoped(tx)
    await failpoints.hit('failure: batch locked')
    await splitBatchesUnscoped(tx, failed.seqs, clock.now())
    await failpoints.hit('failure: batch split')
  })
}
