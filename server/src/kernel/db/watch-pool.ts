/**
 * Ends connections of a pool that have gone silent, so that their callers fail instead of waiting and the pool makes new
 * ones. A statement without a sign of life for some seconds is looked up in PostgreSQL over a fresh connection: where it
 * is still running it is left alone, however slow; where it is not, its connection is dead. A transaction that PostgreSQL
 * still holds open for a dead connection is ended too, or its locks would stay for a minute.
 */
import type pg from 'pg'
import type { Log } from '../log.ts'
import type { Tasks } from '../tasks.ts'
import { endTransactions, findRunning, findRunningBehindPooler } from './ask-running.ts'
import { connectionLimits } from './connection-limits.ts'
import type { DatabaseAddresses } from './pooler/find-pooler.ts'

interface Options {
  pool: pg.Pool
  pooler?: DatabaseAddresses['pooler']
  /** Where PostgreSQL itself is asked; the pool's address unless given. */
  session?: pg.ClientConfig
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
  /** Behind a pooler: no statement runs for so long, as its time limit ends it. */
  longestMs: number
}

const usualTiming: Timing = {
  everyMs: 1_000,
  suspectMs: 3_000,
  giveUpMs: 10_000,
  askMs: connectionLimits.probe.connectionTimeoutMillis,
  longestMs: connectionLimits.work.statement_timeout + 30_000,
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

export const watchPool = ({ pool, log, tasks, signal, pooler = 'none', ...options }: Options): PoolWatch => {
  const timing = { ...usualTiming, ...options.timing }
  const asked = { session: options.session ?? pool.options, askMs: timing.askMs }
  const ofProcess = { name: pool.options.application_name ?? '', suspectMs: timing.suspectMs }
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
    if (running?.has(client.processID)) return pooler !== 'none' && ms >= timing.longestMs
    // A pooler may not have a session for it yet.
    return (running && pooler === 'none') || ms >= timing.giveUpMs
  }

  const check = async (): Promise<void> => {
    const suspects = [...clients].filter((client) => silentMs(client) >= timing.suspectMs)
    if (suspects.length === 0) return
    const running =
      pooler === 'none' ? await findRunning(asked, suspects) : await findRunningBehindPooler(asked, suspects, ofProcess)
    // An answer may have been on its way while we asked, so only a second silence counts.
    await new Promise((resolve) => setTimeout(resolve, timing.everyMs))
    const dead = suspects.filter((client) => isDead(client, running))
    if (pooler === 'none') for (const client of suspects) if (running?.has(client.processID)) observed.delete(client)
    if (dead.length === 0) return
    // Those that nobody uses have most likely met the same fate, and a new connection costs milliseconds.
    const idle = [...clients].filter((client) => !inUse.has(client))
    log.warn({ dead: dead.length, idle: idle.length }, 'Database connections went silent and are replaced.')
    for (const client of [...dead, ...idle]) client.connection.stream.destroy(wentSilent())
    // A pooler ends the transaction when its client is gone, and by the role's time limit.
    if (running && pooler === 'none') await endTransactions(asked, dead, ofProcess)
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
