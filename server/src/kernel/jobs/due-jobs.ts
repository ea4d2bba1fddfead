/**
 * Retries and delayed jobs aren't announced when they fall due. One statement looks for those of all queues, so what an
 * idle server asks the database does not grow with the number of jobs it knows.
 */
import type pg from 'pg'
import type { Log } from '../log.ts'

interface Options {
  pool: pg.Pool
  log: Log
  everySec: number
  /** The queues to look at. */
  names: readonly string[]
  wake(name: string): void
}

const question = `
  select name from unnest($1::text[]) as name where exists (
    select from pgboss.job j where j.name = name.name and j.state < 'active' and not j.blocked
      and j.start_after <= pgboss.job_now())`

export const watchDueJobs = ({ pool, log, everySec, names, wake }: Options): { stop(): void } => {
  let isAsking = false
  const check = async (): Promise<void> => {
    if (isAsking) return
    isAsking = true
    try {
      const { rows } = await pool.query<{ name: string }>(question, [names])
      for (const { name } of rows) wake(name)
    } catch (problem) {
      log.warn({ err: problem }, "Couldn't look for jobs that are due; trying again.")
    } finally {
      isAsking = false
    }
  }
  const timer = setInterval(() => void check(), everySec * 1000)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
