/**
 * Ends connections of a pool that have gone silent, so that their callers fail instead of waiting and the pool makes new
 * ones. A statement without a sign of life for some seconds is looked up in PostgreSQL over a fresh connection: where it
 * is still running it is left alone, however slow; where it is not, its connection is dead. A transaction that PostgreSQL
 * still holds open for a dead connection is ended too, or its locks would stay for a minute.
 */
import pg from 'pg'
import { endsWithin } from '../ends-within.ts'
import type { Log } from '../log.ts'
import type { Tasks } from '../tasks.ts'
import { connectionLimits } from './connection-limits.ts'

interface Options {
  pool: pg.Pool
  log: Log
  tasks: Pick<Tasks, 'every'>
  signal: AbortSignal
  timing?: Partial<Timing>
}

interface Timing {
  everyMs: number
  /** After so long without a byte a statement is looked up. */
  suspectMs: number
  /** After so long without a byte, and without PostgreSQL to ask, its connection counts as dead. */
  giveUpMs: number
  /** PostgreSQL has this long to answer when it is asked. */
  askMs: number
}

const usualTiming: Timing = {
  everyMs: 1_000,
  suspectMs: 3_000,
  giveUpMs: 10_000,
  askMs: connectionLimits.probe.connectionTimeoutMillis,
}

/** The part of pg's client that has no public name: what it waits for, and what has come. */
interface Watched {
  processID: number
  _getActiveQuery(): object | null
  connection: { stream: { bytesRead: number; destroy(problem: Error): void } }
}

const watched = (client: pg.ClientBase): Watched => client as unknown as Watched

interface Observation {
  query: object
  bytesRead: number
  silentSince: number
}

export interface PoolWatch {
  /** Cuts every connection, so that nobody waits for one any longer. */
  cutAll(): void
}

export const watchPool = ({ pool, log, tasks, signal, ...options }: Options): PoolWatch => {
  const timing = { ...usualTiming, ...options.timing }
  if (pool.totalCount > 0) throw new Error('Connections that were made before the watch began would go unwatched.')
  const clients = new Set<Watched>()
  const inUse = new Set<Watched>()
  const observed = new Map<Watched, Observation>()
  pool.on('connect', (client) => void clients.add(watched(client)))
  pool.on('acquire', (client) => void inUse.add(watched(client)))
  pool.on('release', (_problem, client) => void inUse.delete(watched(client)))
  pool.on('remove', (client) => {
    for (const known of [clients, inUse, observed]) known.delete(watched(client))
  })

  const silentMs = (client: Watched): number => {
    const query = client._getActiveQuery()
    const { bytesRead } = client.connection.stream
    const before = observed.get(client)
    if (!query) observed.delete(client)
    else if (before?.query !== query || before.bytesRead !== bytesRead)
      observed.set(client, { query, bytesRead, silentSince: performance.now() })
    else return performance.now() - before.silentSince
    return 0
  }

  const isDead = (client: Watched, running: ReadonlySet<number> | undefined): boolean => {
    const ms = silentMs(client)
    if (ms < timing.suspectMs) return false
    return running ? !running.has(client.processID) : ms >= timing.giveUpMs
  }

  const check = async (): Promise<void> => {
    const suspects = [...clients].filter((client) => silentMs(client) >= timing.suspectMs)
    if (suspects.length === 0) return
    const running = await findRunning(pool, suspects, timing)
    // An answer may have been on its way while we asked, so only a second silence counts.
    await new Promise((resolve) => setTimeout(resolve, timing.everyMs))
    const dead = suspects.filter((client) => isDead(client, running))
    for (const client of suspects) if (running?.has(client.processID)) observed.delete(client)
    if (dead.length === 0) return
    // Those that nobody uses have most likely met the same fate, and a new connection costs milliseconds.
    const idle = [...clients].filter((client) => !inUse.has(client))
    log.warn({ dead: dead.length, idle: idle.length }, 'Database connections went silent and are replaced.')
    for (const client of [...dead, ...idle]) client.connection.stream.destroy(wentSilent())
    if (running) await endTransactions(pool, dead, timing)
  }
  tasks.every('database.watch', { everyMs: timing.everyMs, signal }, check)
  return {
    cutAll: () => {
      for (const client of clients) client.connection.stream.destroy(wentSilent())
    },
  }
}

/** A connection failure by its SQLSTATE: callers retry it, and clients are told to. */
const wentSilent = (): Error =>
  Object.assign(new Error('Connection terminated: the database connection went silent.'), { code: '08006' })

/** Which of them PostgreSQL is working for; undefined when it cannot be asked. */
const findRunning = async (
  pool: pg.Pool,
  suspects: readonly Watched[],
  { askMs }: Timing,
): Promise<Set<number> | undefined> => {
  const rows = await askAfresh<{ pid: number }>(pool, askMs, {
    text: `select pid from pg_stat_activity where pid = any($1) and usename = current_user and state = 'active'`,
    values: [suspects.map(({ processID }) => processID)],
  })
  return rows && new Set(rows.map(({ pid }) => pid))
}

/** After a failover another node's connection can have the same number, but that one is not idle for long. */
const endTransactions = (pool: pg.Pool, dead: readonly Watched[], { askMs, suspectMs }: Timing): Promise<unknown> =>
  askAfresh(pool, askMs, {
    text: `select pg_terminate_backend(pid) from pg_stat_activity
     where pid = any($1) and usename = current_user and application_name = $2 and state like 'idle in transaction%'
       and state_change < clock_timestamp() - $3::int * interval '1 millisecond'`,
    values: [dead.map(({ processID }) => processID), pool.options.application_name, suspectMs],
  })

/** Over a connection of its own; undefined when there is no answer. */
const askAfresh = async <Row extends object>(
  pool: pg.Pool,
  askMs: number,
  question: { text: string; values: unknown[] },
): Promise<Row[] | undefined> => {
  const client = new pg.Client({ ...pool.options, ...connectionLimits.probe, application_name: 'chancery watchdog' })
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
    watched(client).connection.stream.destroy(wentSilent())
  }
}
