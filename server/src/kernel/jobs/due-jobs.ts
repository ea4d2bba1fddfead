/**
 * Retries and delayed jobs aren't announced when they fall due. One statement looks for those of all queues, so what an
 * idle server asks the database does not grow with the number of jobs it knows.
 */
import type pg from 'pg'
import type { Tasks } from '../tasks.ts'

interface Options {
  pool: pg.Pool
  tasks: Pick<Tasks, 'every' | 'run'>
  everySec: number
  signal: AbortSignal
  /** Wakes the workers of each queue, by its name. */
  wakers: ReadonlyMap<string, () => void>
}

const question = `
  select name from unnest($1::text[]) as name where exists (
    select from pgboss.job j where j.name = name.name and j.state < 'active' and not j.blocked
      and j.start_after <= pgboss.job_now())`

/** Checks at once and every few seconds. Returns how to check in between. */
export const watchDueJobs = ({ pool, tasks, everySec, signal, wakers }: Options): (() => void) => {
  const check = async () => {
    const { rows } = await pool.query<{ name: string }>(question, [[...wakers.keys()]])
    for (const { name } of rows) wakers.get(name)?.()
  }
  const checkNow = (): void => {
    if (!signal.aborted) tasks.run('jobs.due', check)
  }
  checkNow()
  tasks.every('jobs.due', { everyMs: everySec * 1000, signal }, check)
  return checkNow
}
