/** Logs what pg-boss reports. While the database is away every worker reports it, so repeats are counted, not logged. */
import type { PgBoss } from 'pg-boss'
import type { Log } from '../log.ts'

const quietMs = 10_000

export const reportTo = (log: Log, boss: PgBoss): void => {
  let quietUntilMs = 0
  let unsaid = 0
  boss.on('error', (error) => {
    unsaid += 1
    if (performance.now() < quietUntilMs) return
    log.error(
      { err: { message: error.message, stack: error.stack }, times: unsaid },
      'The job engine reported a problem.',
    )
    quietUntilMs = performance.now() + quietMs
    unsaid = 0
  })
  boss.on('warning', ({ message }) => log.warn({ warning: message }, 'The job engine warns.'))
}
