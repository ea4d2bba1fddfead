/** PostgreSQL's error codes that concern the database, whichever statement met the failure. */

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

/** SQLSTATE classes of lost connections, a server that stops or starts, and used-up resources; and the network's codes. */
const unavailable = /^(08|53|57P)|^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT)$/
/** Messages of pg, without a code, when a connection ends or can't be had. */
const connectionEnded =
  /^Connection terminated|connection error and is not queryable|timeout exceeded when trying to connect/

/** A statement, a lock or a transaction took longer than it may. */
export const isDatabaseTimeout = (problem: unknown): boolean =>
  ['57014', '55P03', '25P03', '25P04'].includes(codeOf(problem) ?? '')

/** The database can't be reached or can't work at the moment: the same request may succeed later. */
export const isDatabaseUnavailable = (problem: unknown): boolean =>
  unavailable.test(codeOf(problem) ?? '') ||
  refusesEveryWrite(problem) ||
  (problem instanceof Error && connectionEnded.test(problem.message))
