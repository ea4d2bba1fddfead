/** One pool, one Kysely. Column names are snake_case in SQL and camelCase here; JSON inside columns is left alone. */
import { randomBytes } from 'node:crypto'
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { parseExactly } from '../json/exact-integers.ts'
import { requester } from '../loop-watch/mark.ts'
import type { Metrics } from '../metrics/index.ts'
import { connectionLimits } from './connection-limits.ts'
import { fairPool } from './fair-pool.ts'
import { namingPool } from './name-prepared.ts'
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
}

export type Pool = pg.Pool

export const createPool = ({ connectionString, max, connectMs }: PoolOptions): Pool => {
  const pool = new pg.Pool({
    connectionString,
    max,
    ...connectionLimits.work,
    ...(connectMs !== undefined && { connectionTimeoutMillis: connectMs }),
    idleTimeoutMillis: 60_000,
    // One name for each process: a lease is free when none of its holder's connections is left (`leases.ts`).
    application_name: `chancery ${randomBytes(8).toString('hex')}`,
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

export const createDb = (pool: pg.Pool, onQuery?: OnQuery): Db =>
  new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: fairPool({ pool, ...namingPool(pool), requester }) }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
    ...(onQuery && { log: ({ query }) => onQuery(query) }),
  })
