/**
 * Forward-only SQL migrations, each in its own transaction, under an advisory lock so that many nodes may start
 * at once. A migration that was applied and then edited stops the start: the past is not rewritten.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { StartError } from '../process/start-error.ts'
import { migrationLimits } from './connection-limits.ts'

const lockKey = 4_242_001

interface Migration {
  name: string
  sql: string
  checksum: string
}

export const readMigrations = (folder: string): Migration[] =>
  readdirSync(folder)
    .filter((file) => /^\d{4}_[a-z0-9_]+\.sql$/.test(file))
    .sort()
    .map((name) => {
      const sql = readFileSync(join(folder, name), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    })

export const migrate = async (pool: pg.Pool, migrations: readonly Migration[]): Promise<void> => {
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

const isUpToDate = async (pool: pg.Pool, migrations: readonly Migration[]): Promise<boolean> => {
  const { rows } = await pool.query<{ exists: boolean }>(
    "select to_regclass('schema_migrations') is not null as exists",
  )
  if (!rows[0]?.exists) return false
  const applied = await readApplied(pool)
  return migrations.every(({ name, checksum }) => applied.get(name) === checksum)
}

/** The checksum of each, by its name. */
const readApplied = async (on: pg.Pool | pg.PoolClient): Promise<Map<string, string>> => {
  const { rows } = await on.query<{ name: string; checksum: string }>('select name, checksum from schema_migrations')
  return new Map(rows.map((row) => [row.name, row.checksum]))
}

const applyMissing = async (client: pg.PoolClient, migrations: readonly Migration[]): Promise<void> => {
  const applied = await readApplied(client)
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

const applyOne = async (client: pg.PoolClient, { name, sql, checksum }: Migration): Promise<void> => {
  await client.query('begin')
  try {
    await client.query(sql)
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
    await client.query('commit')
  } catch (problem) {
    await client.query('rollback')
    throw new StartError(`Migration ${name} failed: ${(problem as Error).message}.`, { cause: problem })
  }
}
