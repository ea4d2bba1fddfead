/** Handles batches whose dispatch failed: their events are queued one by one, so that groups of them can be tried. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { EventBusContext } from '../context.ts'
import { splitBatchesUnscoped } from '../queries/batches.ts'
import { claimDispatchUnscoped, type DueEvents } from '../queries/dispatches.ts'

const retryMs = 50

type Needs = Pick<EventBusContext, 'clock' | 'db' | 'failpoints' | 'log'>

/** With the dispatch claimed: another node may be about to take the same batches and would dispatch them a second time. */
export const splitBatches = async (
  { clock, db, failpoints, log }: Needs,
  failed: Pick<DueEvents, 'seqs'>,
  problem: unknown,
): Promise<void> => {
  log.warn({ err: problem, count: failed.seqs.length }, 'A batch of events failed to dispatch; it is split.')
  const split = () =>
    db.transaction().execute(async (tx) => {
      if (!(await claimDispatchUnscoped(tx))) return false
      await failpoints.hit('failure: batch claimed')
      await splitBatchesUnscoped(tx, failed.seqs, clock.now())
      await failpoints.hit('failure: batch split')
      return true
    })
  while (!(await split())) await sleep(retryMs)
}
