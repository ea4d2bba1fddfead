/** Connections of a backup: long transactions over one session, with every name written in full. */
import pg from 'pg'
import { backupLock } from '#kernel/blobs/index.ts'
import { connectionLimits } from '#kernel/db/connection-limits.ts'
import { migrationLock } from '#kernel/db/migrate.ts'
import { StartError } from '#kernel/process/start-error.ts'
import { listTables } from './catalog.ts'

/** Values as text that means the same in every database, and rows in the order in which they lie there. */
const settings = `
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local search_path = '';
  set local datestyle = 'ISO'; set local intervalstyle = 'postgres'; set local timezone = 'UTC';
  set local extra_float_digits = 3; set local bytea_output = 'hex'; set local synchronize_seqscans = off;
  set local check_function_bodies = off`

const { connectionTimeoutMillis } = connectionLimits.work

type Use<Result> = (client: pg.Client) => Promise<Result>

const withClient = async <Result>(connectionString: string, use: Use<Result>): Promise<Result> => {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis, keepAlive: true })
  let lost: Error | undefined
  client.on('error', (problem) => {
    lost = problem
  })
  await client.connect()
  try {
    return await use(client)
  } catch (problem) {
    throw lost ?? problem
  } finally {
    await client.end().catch(() => undefined)
  }
}

/**
 * All that `use` reads is of one moment. The lock that holds up the sweep of files comes before it, and so do those on
 * tables, which no migration may change meanwhile.
 */
export const inSnapshot = <Result>(databaseUrl: string, use: Use<Result>): Promise<Result> =>
  withClient(databaseUrl, async (client) => {
    await client.query(`select pg_advisory_lock_shared(${backupLock})`)
    for (let attempt = 1; ; attempt += 1)
      try {
        await beginSnapshot(client)
        break
      } catch (problem) {
        // A partition went just now.
        if ((problem as { code?: string }).code !== '42P01' || attempt === 5) throw problem
        await client.query('rollback')
      }
    return use(client)
  })

const beginSnapshot = async (client: pg.Client): Promise<void> => {
  await client.query(`begin; ${settings}`)
  const tables = await listTables(client)
  await client.query('commit')
  if (tables.length === 0) throw new StartError('The database has no tables yet: start the server once before.')
  await client.query(`begin isolation level repeatable read, read only; ${settings}`)
  await client.query(`set local lock_timeout = '60s'`)
  await client.query(`lock table ${tables.map(({ table }) => table).join(', ')} in access share mode`)
}

/** Commits what `use` did when it has ended, and leaves nothing of it otherwise. A server that starts waits for it. */
export const inRestore = <Result>(databaseUrl: string, use: Use<Result>): Promise<Result> =>
  withClient(databaseUrl, async (client) => {
    await client.query(`begin; ${settings}; select pg_advisory_xact_lock(${migrationLock})`)
    const result = await use(client)
    await client.query('commit')
    // Until then PostgreSQL guesses how to read them.
    await client.query('analyze')
    return result
  })

/** All or nothing, in a database that is in use: triggers do what they do for any row. A server that starts waits for it. */
export const inImport = <Result>(databaseUrl: string, use: Use<Result>): Promise<Result> =>
  withClient(databaseUrl, async (client) => {
    await client.query(
      `begin; ${settings}; set local search_path = public; select pg_advisory_xact_lock(${migrationLock})`,
    )
    const result = await use(client)
    await client.query('commit')
    return result
  })
