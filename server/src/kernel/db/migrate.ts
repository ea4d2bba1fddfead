/**
 * Forward-only SQL migrations, each in its own transaction, under an advisory lock so that many nodes may start
 * at once. A migration that was applied and then edited stops the start: the past is not rewritten.
 *
 * An empty database begins with the baseline. One that was made by the migrations before it goes on with those; after
 * the last of them it has the same tables, so the baseline is recorded without being run.
 */
import type pg from 'pg'
import { StartError } from '../process/start-error.ts'
import { migrationLimits } from './connection-limits.ts'
import type { Migration, Migrations } from './read-migrations.ts'

const lockKey = 4_242_001

export const migrate = async (pool: pg.Pool, migrations: Migrations): Promise<void> => {
  // As on almost every start: that needs neither the lock nor a connection of its own.
  if (await isUpToDate(pool, migrations)) return
  const client = await pool.connect()
  try {
    await client.query(migrationLimits)
    await client.query('select pg_advisory_lock($1)', [lockKey])
    await client.query(
      'create table if not exists schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
    )
    await applyMissing(client, migrations)
  } finally {
    await client.query('select pg_advisory_unlock($1)', [lockKey]).catch(() => undefined)
    // Its limits are not those of the pool's other work, so the connection ends here.
    client.release(true)
  }
}

const isUpToDate = async (pool: pg.Pool, { baseline, since }: Migrations): Promise<boolean> => {
  const { rows } = await pool.query<{ exists: boolean }>(
    "select to_regclass('schema_migrations') is not null as exists",
  )
  if (!rows[0]?.exists) return false
  const applied = await readApplied(pool)
  return [baseline, ...since].every(({ name, checksum }) => applied.get(name) === checksum)
}

/** The checksum of each, by its name. */
const readApplied = async (on: pg.Pool | pg.PoolClient): Promise<Map<string, string>> => {
  const { rows } = await on.query<{ name: string; checksum: string }>('select name, checksum from schema_migrations')
  return new Map(rows.map((row) => [row.name, row.checksum]))
}

const applyMissing = async (client: pg.PoolClient, { before, baseline, since }: Migrations): Promise<void> => {
  const applied = await readApplied(client)
  if (applied.size > 0 && !applied.has(baseline.name)) {
    requireKnown(applied, before)
    await applyEach(client, before, applied)
    await record(client, baseline)
    applied.set(baseline.name, baseline.checksum)
  }
  await applyEach(client, [baseline, ...since], applied)
}

/** Otherwise its tables may not be those of the baseline. */
const requireKnown = (applied: ReadonlyMap<string, string>, before: readonly Migration[]): void => {
  const known = new Set(before.map(({ name }) => name))
  for (const name of applied.keys())
    if (!known.has(name))
      throw new StartError(
        `The database has the migration ${name}, which this Chancery doesn't know: start the Chancery that made it.`,
      )
}

const applyEach = async (
  client: pg.PoolClient,
  migrations: readonly Migration[],
  applied: ReadonlyMap<string, string>,
): Promise<void> => {
  for (const migration of migrations) {
    const before = applied.get(migration.name)
    if (before === migration.checksum) continue
    if (before !== undefined)
      throw new StartError(
        `Migration ${migration.name} was changed after it had been applied; add a new migration instead.`,
      )
    await applyOne(client, migration)
  }
}

const applyOne = async (client: pg.PoolClient, migration: Migration): Promise<void> => {
  await client.query('begin')
  try {
    await client.query(migration.sql)
    await record(client, migration)
    await client.query('commit')
  } catch (problem) {
    await client.query('rollback')
    throw new StartError(`Migration ${migration.name} failed: ${(problem as Error).message}.`, { cause: problem })
  }
}

const record = (client: pg.PoolClient, { name, checksum }: Migration) =>
  client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
