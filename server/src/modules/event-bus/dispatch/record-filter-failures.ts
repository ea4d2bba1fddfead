/** Stores which filters failed in a dispatch, pauses those that keep failing, and tells the modules that own them. */
import type { Db } from '#kernel/db/database.ts'
import type { EventBusContext } from '../context.ts'
import { type FilterFailure, recordFilterFailuresUnscoped } from '../queries/subscriptions.ts'
import { pauseAtScore } from './filter-health.ts'

/** In the dispatch's transaction: a dispatch that is rolled back counts for nothing. */
export const recordFilterFailures = async (
  { failpoints, log, onPaused }: Pick<EventBusContext, 'failpoints' | 'log' | 'onPaused'>,
  tx: Db,
  { failures, now }: { failures: readonly FilterFailure[]; now: Date },
): Promise<void> => {
  const paused = await recordFilterFailuresUnscoped(tx, { failures, pauseAtScore, now })
  if (paused.length === 0) return
  log.warn(
    { subscriptions: paused.map(({ id }) => id) },
    'Subscriptions were paused because their filters keep failing.',
  )
  await onPaused(tx, paused)
  await failpoints.hit('dispatch: subscriptions paused')
}
