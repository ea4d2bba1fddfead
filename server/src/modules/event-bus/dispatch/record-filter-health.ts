/** Stores how filters did in a dispatch, pauses those that keep failing, and tells the modules that own them. */
import type { Db } from '#kernel/db/database.ts'
import type { EventBusContext } from '../context.ts'
import {
  markSubscriptionsChangedUnscoped,
  recordFilterFailuresUnscoped,
  resetFilterScoresUnscoped,
} from '../queries/subscriptions.ts'
import type { Decisions } from './decide.ts'
import { assessFilters, pauseAtScore } from './filter-health.ts'

/** In the dispatch's transaction: a dispatch that is rolled back counts for nothing. */
export const recordFilterHealth = async (
  { failpoints, log, ports }: Pick<EventBusContext, 'failpoints' | 'log' | 'ports'>,
  tx: Db,
  { decisions, now }: { decisions: Decisions; now: Date },
): Promise<void> => {
  const { failures, healthyIds } = assessFilters(decisions)
  if (healthyIds.length > 0) await resetFilterScoresUnscoped(tx, healthyIds)
  if (failures.length === 0) return
  const paused = await recordFilterFailuresUnscoped(tx, { failures, pauseAtScore, now })
  if (paused.length === 0) return
  log.warn(
    { subscriptions: paused.map(({ id }) => id) },
    'Subscriptions were paused because their filters keep failing.',
  )
  await markSubscriptionsChangedUnscoped(tx)
  for (const listener of ports.pauseListeners) await listener(tx, paused)
  await failpoints.hit('dispatch: subscriptions paused')
}
