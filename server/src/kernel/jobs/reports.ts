/** Logs what pg-boss reports. While the database is away every worker reports it, so repeats are counted, not logged. */
import type { PgBoss } from 'pg-boss'
import type { Log } from '../log.ts'

const logEveryMs = 10_000

export const reportTo = (log: Log, boss: PgBoss): void => {
  let nextLogAtMs = 0
  let unlogged = 0
  boss.on('error', (error) => {
    unlogged += 1
    if (performance.now() < nextLogAtMs) return
    log.error(
      { err: { message: error.message, stack: error.stack }, times: unlogged },
      'The job engine reported a problem.',
    )
    nextLogAtMs = performance.now() + logEveryMs
    unlogged = 0
  })
  boss.on('warning', ({ message }) => log.warn({ warning: message }, 'The job engine warns.'))
}
