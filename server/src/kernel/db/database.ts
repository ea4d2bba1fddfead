/** One pool, one Kysely. Column names are snake_case in SQL and camelCase here; JSON inside columns is left alone. */
import { randomBytes } from 'node:crypto'
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { parseExactly } from '../json/exact-integers.ts'
import { requester } from '../loop-watch/mark.ts'
import type { Metrics } from '../metrics/index.ts'
import { connectionLimits, sessionLimits } from './connection-limits.ts'
import { fairPool } from './fair-pool.ts'
import { namingPool } from './name-prepared.ts'
import type { DatabaseAddresses } from './pooler/find-pooler.ts'
import type { Tables } from './tables.ts'

/** A connection or a transaction: use cases that must be atomic take it as their first argument. */
export type Db = Kysely<Tables>

const int8 = 20
pg.types.setTypeParser(int8, (text) => Number(text))
const json = 114
const jsonb = 3802
for (const type of [json, jsonb]) pg.types.setTypeParser(type, (text) => parseExactly(text))

export interface PoolOptions {
  connectionString: string
  max: number
  /** A caller waits this long for a connection; tests have less time. */
  connectMs?: number
  pooler?: DatabaseAddresses['pooler']
}

export type Pool = pg.Pool

export const createPool = ({ connectionString, max, connectMs, pooler = 'none' }: PoolOptions): Pool => {
  const { statement_timeout, idle_in_transaction_session_timeout, ...ours } = connectionLimits.work
  const pool = new pg.Pool({
    connectionString,
    max,
    ...ours,
    ...(pooler === 'none' && { statement_timeout, idle_in_transaction_session_timeout }),
    ...(pooler === 'session' && { onConnect: (client: pg.ClientBase) => client.query(sessionLimits) }),
    ...(connectMs !== undefined && { connectionTimeoutMillis: connectMs }),
    idleTimeoutMillis: 60_000,
    // One name for each process: a lease is free when none of its holder's connections is left (`leases.ts`). Which
    // sessions are whose changes all the time behind a pooler, so there a lease just runs out.
    application_name: `${pooler === 'none' ? '' : 'pooled '}chancery ${randomBytes(8).toString('hex')}`,
  })
  // When a connection breaks while it is in use, its query fails, and that is where the error is reported.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

export const reportPool = (metrics: Pick<Metrics, 'gauge'>, pool: pg.Pool): void =>
  metrics.gauge({
    name: 'chancery_database_pool_connections',
    help: 'Connections of the pool by state, and how many callers wait for one.',
    labels: ['state'],
    read: () => [
      [['busy'], pool.totalCount - pool.idleCount],
      [['idle'], pool.idleCount],
      [['waiting'], pool.waitingCount],
    ],
  })

/** Measurements listen to what is sent to the database. */
type OnQuery = (query: { sql: string; parameters: readonly unknown[] }) => void

interface DbOptions {
  onQuery?: OnQuery
  /** A prepared statement belongs to a session, which a pooler in transaction mode doesn't keep. */
  pooler?: DatabaseAddresses['pooler']
}

export const createDb = (pool: pg.Pool, { onQuery, pooler }: DbOptions = {}): Db =>
  new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: fairPool({ pool, ...namingPool(pool, { prepares: pooler !== 'transaction' }), requester }),
    }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
    ...(onQuery && { log: ({ query }) => onQuery(query) }),
  })
