/** Counts runs and measures how long the oldest has been due, for metrics. Unscoped: it reveals nothing of any run. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'

export interface RunMeasures {
  /** Runs by the state they are in now. */
  queued: number
  running: number
  waiting: number
  /** Runs that are due and not claimed yet. */
  due: number
  /** The longest time that one of them has been due; 0 when there is none. */
  oldestDueMs: number
}

export const measureRunsUnscoped = async (db: Db, now: Date): Promise<RunMeasures> => {
  const { rows } = await sql<Omit<RunMeasures, 'oldestDueMs'> & { oldestDueAt: Date | null }>`
    select count(*) filter (where status = 'queued')::integer as queued,
      count(*) filter (where status = 'running')::integer as running,
      count(*) filter (where status = 'waiting')::integer as waiting,
      count(*) filter (where wake_at <= ${now})::integer as due,
      min(wake_at) filter (where wake_at <= ${now}) as oldest_due_at
    from runs where status in ('queued', 'running', 'waiting')`.execute(db)
  const [{ oldestDueAt = null, ...counts } = { queued: 0, running: 0, waiting: 0, due: 0 }] = rows
  return { ...counts, oldestDueMs: oldestDueAt === null ? 0 : now.getTime() - oldestDueAt.getTime() }
}
