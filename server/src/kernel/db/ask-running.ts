/** Asks PostgreSQL, over a connection of its own, what it does for connections from which nothing comes. */
import pg from 'pg'
import { endsWithin } from '../ends-within.ts'
import { connectionLimits } from './connection-limits.ts'

interface Options {
  /** Where a connection has a session of its own. */
  session: pg.ClientConfig
  /** PostgreSQL has this long to answer. */
  askMs: number
}

interface Silent {
  processID: number
}

/** Which of them PostgreSQL is working for; undefined when it cannot be asked. */
export const findRunning = async (options: Options, suspects: readonly Silent[]): Promise<Set<number> | undefined> => {
  const rows = await askAfresh<{ pid: number }>(options, {
    text: `select pid from pg_stat_activity where pid = any($1) and usename = current_user and state = 'active'`,
    values: [suspects.map(({ processID }) => processID)],
  })
  return rows && new Set(rows.map(({ pid }) => pid))
}

interface OfProcess {
  /** The `application_name` of its connections. */
  name: string
  /** What has been silent for so long has been running for so long. */
  suspectMs: number
}

/**
 * Behind a pooler nobody knows which session works for which connection, so all count as running while PostgreSQL runs
 * any statement of this process for so long.
 */
export const findRunningBehindPooler = async (
  options: Options,
  suspects: readonly Silent[],
  { name, suspectMs }: OfProcess,
): Promise<Set<number> | undefined> => {
  const rows = await askAfresh(options, {
    text: `select from pg_stat_activity where usename = current_user and application_name = $1 and state = 'active'
      and query_start < clock_timestamp() - $2::int * interval '1 millisecond' limit 1`,
    values: [name, suspectMs / 2],
  })
  return rows && new Set(rows.length > 0 ? suspects.map(({ processID }) => processID) : [])
}

/** After a failover another node's connection can have the same number, but that one is not idle for long. */
export const endTransactions = (
  options: Options,
  dead: readonly Silent[],
  { name, suspectMs }: OfProcess,
): Promise<unknown> =>
  askAfresh(options, {
    text: `select pg_terminate_backend(pid) from pg_stat_activity
     where pid = any($1) and usename = current_user and application_name = $2 and state like 'idle in transaction%'
       and state_change < clock_timestamp() - $3::int * interval '1 millisecond'`,
    values: [dead.map(({ processID }) => processID), name, suspectMs],
  })

/** Undefined when there is no answer. */
const askAfresh = async <Row extends object>(
  { session, askMs }: Options,
  question: { text: string; values: unknown[] },
): Promise<Row[] | undefined> => {
  const client = new pg.Client({ ...session, ...connectionLimits.probe, application_name: 'chancery watchdog' })
  client.on('error', () => undefined)
  const ask = async (): Promise<Row[]> => {
    await client.connect()
    return (await client.query<Row>(question)).rows
  }
  const asking = ask()
  asking.catch(() => undefined)
  try {
    return (await endsWithin(asking, askMs)) ? await asking : undefined
  } catch {
    return undefined
  } finally {
    const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
    connection.stream.destroy()
  }
}
