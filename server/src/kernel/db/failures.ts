/** What PostgreSQL's error codes say about the database, whichever statement met the failure. */

const codeOf = (problem: unknown): string | undefined => {
  const code = typeof problem === 'object' && problem !== null && 'code' in problem ? problem.code : undefined
  return typeof code === 'string' ? code : undefined
}

const diskFull = '53100'
const tooManyConnections = '53300'
/** After a failover to a standby that has not been promoted yet. */
const readOnly = '25006'

export const isDiskFull = (problem: unknown): boolean => codeOf(problem) === diskFull

/** Every write fails at the moment, so no single one of them is to blame. */
export const refusesEveryWrite = (problem: unknown): boolean =>
  [diskFull, tooManyConnections, readOnly].includes(codeOf(problem) ?? '')
