/** Handles batches whose dispatch failed: their events are queued one by one, so that groups of them can be tried. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { EventBusContext } from '../context.ts'
import { splitBatchesUnscoped } from '../queries/batches.ts'
import { claimLanesUnscoped } from '../queries/lanes.ts'
import type { Taken } from './dispatch-due.ts'

const retryMs = 50

interface Needs extends Pick<EventBusContext, 'clock' | 'db' | 'failpoints' | 'log'> {
  nodes: Pick<EventBusContext['nodes'], 'id'>
}

/** With its lanes claimed: another node may be about to take the same batches and would dispatch them a second time. */
export const splitBatches = async (
  { clock, db, failpoints, log, nodes }: Needs,
  { seqs, lanes }: Pick<Taken, 'seqs' | 'lanes'>,
  problem: unknown,
): Promise<void> => {
  log.warn({ err: problem, count: seqs.length }, 'A batch of events failed to dispatch; it is split.')
  const split = () =>
    db.transaction().execute(async (tx) => {
      if ((await claimLanesUnscoped(tx, { lanes, node: nodes.id })).length < lanes.length) return false
      await failpoints.hit('failure: batch claimed')
      await splitBatchesUnscoped(tx, seqs, clock.now())
      await failpoints.hit('failure: batch split')
      return true
    })
  while (!(await split())) await sleep(retryMs)
}
