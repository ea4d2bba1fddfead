/** Whether PostgreSQL has room for the connections of this process, asked once when it starts. */
import type pg from 'pg'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics/index.ts'
import { StartError } from '../process/start-error.ts'
import type { DatabaseAddresses } from './pooler/find-pooler.ts'

interface Options {
  /** Its questions reach PostgreSQL itself. */
  pool: pg.Pool
  pooler: DatabaseAddresses['pooler']
  config: { DATABASE_POOL_SIZE: number; SVC_ROLE: 'all' | 'api' | 'worker' }
  log: Log
  metrics: Pick<Metrics, 'gauge'>
}

interface Room {
  /** What the server, the database and the role allow ordinary users. */
  most: number
  used: number
}

/** Most connections that a process opens, by what for. Searches, jobs and dispatch use those for work. */
const connectionsOf = ({ DATABASE_POOL_SIZE, SVC_ROLE }: Options['config']) => ({
  work: DATABASE_POOL_SIZE,
  listen: SVC_ROLE === 'api' ? 1 : 2,
  /** Looks after statements that went silent, and only then. */
  watch: 1,
})

export const requireRoom = async ({ pool, pooler, config, log, metrics }: Options): Promise<void> => {
  const { work, ...sessions } = connectionsOf(config)
  const each = { work, ...sessions }
  metrics.gauge({
    name: 'chancery_database_connections_max',
    help: 'Most connections to the database that this process opens, by what for.',
    labels: ['for'],
    read: () => Object.entries(each).map(([name, count]) => [[name], count]),
  })
  // What a pooler opens for the others is its own business.
  const own = Object.values(sessions).reduce((sum, count) => sum + count, pooler === 'transaction' ? 0 : work)
  const { most, used } = await readRoom(pool)
  if (own > most)
    throw new StartError(
      `This process opens up to ${own} connections to PostgreSQL, which allows ${most}: lower DATABASE_POOL_SIZE (${work} now), or raise max_connections in PostgreSQL.`,
    )
  if (used - pool.totalCount + own > most)
    log.warn(
      { needed: own, used, most },
      'PostgreSQL may run out of connections: lower DATABASE_POOL_SIZE or raise max_connections.',
    )
}

const readRoom = async (pool: pg.Pool): Promise<Room> => {
  const { rows } = await pool.query<Room>(`
    select least(
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
          - coalesce(current_setting('reserved_connections', true)::int, 0),
        (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
        (select nullif(datconnlimit, -1) from pg_database where datname = current_database())) as most,
      (select sum(numbackends)::int from pg_stat_database) as used`)
  const [room] = rows
  if (!room) throw new Error('PostgreSQL did not say how many connections it allows.')
  return room
}
