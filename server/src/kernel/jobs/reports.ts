/** What pg-boss reports between the lines. A database that is away makes every worker complain, so the log is spared. */
import type { PgBoss } from 'pg-boss'
import type { Log } from '../log.ts'

const quietMs = 10_000

export const reportTo = (log: Log, boss: PgBoss): void => {
  let quietUntilMs = 0
  let unsaid = 0
  boss.on('error', (error) => {
    unsaid += 1
    if (performance.now() < quietUntilMs) return
    log.error({ err: { message: error.message, stack: error.stack }, times: unsaid }, 'The job engine met a problem.')
    quietUntilMs = performance.now() + quietMs
    unsaid = 0
  })
  boss.on('warning', ({ message }) => log.warn({ warning: message }, 'The job engine warns.'))
}
