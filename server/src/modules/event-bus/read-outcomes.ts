/** The outcome of each event: whether somebody subscribes to it, and how the runs it started went. */
import type { EventOutcome } from '@chancery/contract/workflows/events.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { EventBusContext } from './context.ts'
import type { RunProgress } from './interface.ts'
import { listOutcomes, type OutcomeRow } from './queries/outcomes.ts'

export const readOutcomes = async (
  { db, findRunProgress }: Pick<EventBusContext, 'db' | 'findRunProgress'>,
  actor: Actor,
  eventIds: readonly string[],
): Promise<EventOutcome[]> => {
  const rows = await listOutcomes(db, actor, eventIds)
  const progress = await findRunProgress(
    db,
    rows.flatMap(({ runIds }) => runIds),
  )
  return rows.map((row) => outcomeOf(row, progress))
}

const outcomeOf = (row: OutcomeRow, progress: ReadonlyMap<string, RunProgress>): EventOutcome => {
  const { eventId, runIds } = row
  const count = (wanted: RunProgress) => runIds.filter((id) => progress.get(id) === wanted).length
  const counts = { runs: runIds.length, failed_runs: count('failed'), active_runs: count('active') }
  return { event_id: eventId, outcome: nameOf(row, counts.failed_runs), ...counts }
}

const nameOf = (
  { isQueued, isDead, decisions, filterErrors, runIds, mayHaveLostDecisions }: OutcomeRow,
  failedRuns: number,
): EventOutcome['outcome'] => {
  if (isDead || failedRuns > 0) return 'failed'
  if (runIds.length > 0) return 'started'
  if (isQueued) return 'waiting'
  if (decisions === 0) return mayHaveLostDecisions ? 'not_kept' : 'no_subscriber'
  return filterErrors > 0 ? 'failed' : 'not_started'
}
