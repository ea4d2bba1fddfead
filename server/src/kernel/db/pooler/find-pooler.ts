/**
 * Finds out what stands between the server and PostgreSQL. A pooler in transaction mode gives each transaction whatever
 * session is free, so nothing may be left in a session: no LISTEN, no session lock, no prepared statement, no `set`. What
 * needs a session of its own then goes to DATABASE_URL_DIRECT; without it the server refuses to start.
 */
import pg from 'pg'
import { StartError } from '../../process/start-error.ts'
import { connectionLimits } from '../connection-limits.ts'
import { keepsSession } from './keeps-session.ts'

export interface DatabaseAddresses {
  /** For work. */
  url: string
  /** Each connection has a session of its own: for listening, migrations, locks, and questions about other sessions. */
  sessionUrl: string
  pooler: 'none' | 'session' | 'transaction'
}

interface Given {
  url: string
  directUrl: string | undefined
}

export const withoutPooler = (url: string): DatabaseAddresses => ({ url, sessionUrl: url, pooler: 'none' })

export const findPooler = async ({ url, directUrl }: Given): Promise<DatabaseAddresses> => {
  if (!(await isPooled(url))) return { url, sessionUrl: directUrl ?? url, pooler: 'none' }
  if (directUrl === undefined) {
    if (await keepsSession(url)) return { url, sessionUrl: url, pooler: 'session' }
    throw new StartError(
      'DATABASE_URL leads to a connection pooler in transaction mode: set DATABASE_URL_DIRECT to the address of PostgreSQL itself, which listening, migrations and locks need, or set pool_mode = session in the pooler.',
    )
  }
  await requireDirect(directUrl)
  const [pooled, direct] = [await describe(url), await describe(directUrl)]
  if (pooled.server !== direct.server)
    throw new StartError('DATABASE_URL and DATABASE_URL_DIRECT lead to different databases: give both the same one.')
  if (!pooled.hasLimits) throw new StartError(lacksLimits(pooled.role))
  return { url, sessionUrl: directUrl, pooler: 'transaction' }
}

const lacksLimits = (role: string): string => {
  const { statement_timeout, idle_in_transaction_session_timeout } = connectionLimits.work
  const setting = (name: string, ms: number) => `alter role ${role} set ${name} = '${ms / 1000}s'`
  return `Behind a connection pooler in transaction mode, time limits must belong to the role: run "${setting('statement_timeout', statement_timeout)}; ${setting('idle_in_transaction_session_timeout', idle_in_transaction_session_timeout)}" in PostgreSQL, then RECONNECT in the pooler.`
}

const requireDirect = async (directUrl: string): Promise<void> => {
  const isDirect = await keepsSession(directUrl).catch((problem: Error) => {
    throw new StartError(`The database at DATABASE_URL_DIRECT cannot be reached: ${problem.message}.`)
  })
  if (!isDirect)
    throw new StartError(
      'DATABASE_URL_DIRECT leads to a connection pooler in transaction mode too: give it the address of PostgreSQL itself.',
    )
}

const withClient = async <Result>(config: pg.ClientConfig, use: (client: pg.Client) => Promise<Result>) => {
  const client = new pg.Client({ ...connectionLimits.probe, ...config })
  // What breaks the connection also fails what is awaited here.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await use(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** PostgreSQL names its own process when one connects; a pooler makes a name up. */
const isPooled = async (connectionString: string): Promise<boolean> => {
  try {
    return await withClient({ ...connectionLimits.work, connectionString }, async (client) => {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
      return rows[0]?.pid !== (client as unknown as { processID: number }).processID
    })
  } catch (problem) {
    // As pgbouncer says where it isn't told to ignore them.
    if (/unsupported startup parameter/i.test((problem as Error).message)) return true
    throw problem
  }
}

interface Description {
  role: string
  /** The same for two addresses of one database. */
  server: string
  hasLimits: boolean
}

const describe = (connectionString: string): Promise<Description> =>
  withClient({ connectionString }, async (client) => {
    const { rows } = await client.query<Description>(`
      select quote_ident(current_user) as role,
        concat_ws(' ', current_database(), pg_postmaster_start_time()) as server,
        current_setting('statement_timeout') <> '0'
          and current_setting('idle_in_transaction_session_timeout') <> '0' as "hasLimits"`)
    const [row] = rows
    if (!row) throw new Error('PostgreSQL did not describe itself.')
    return row
  })
