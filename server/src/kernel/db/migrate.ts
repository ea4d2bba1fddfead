/**
 * Forward-only SQL migrations, under an advisory lock so that many nodes may start at once. Each runs in a transaction of
 * its own, unless it begins with `-- concurrently`. A migration that was applied and then edited stops the start, and so
 * does one that comes before another that was applied already: the past is not rewritten.
 *
 * An empty database begins with the baseline. One that was made by the migrations before it goes on with those; after
 * the last of them it has the same tables, so the baseline is recorded without being run.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { StartError } from '../process/start-error.ts'
import { migrationLimits } from './connection-limits.ts'
import { applyConcurrently, isConcurrent } from './migrations/apply-concurrently.ts'
import { hasLostLock, type Patience, retryLocks, usualPatience } from './migrations/patience.ts'
import type { Migration, Migrations } from './read-migrations.ts'

/** Of PostgreSQL's advisory locks: whoever makes or changes tables holds it. */
export const migrationLock = 4_242_001
const lockPollMs = 100

interface Target {
  client: pg.PoolClient
  patience: Patience
}

export const migrate = async (
  pool: pg.Pool,
  migrations: Migrations,
  patience: Patience = usualPatience,
): Promise<void> => {
  // As on almost every start: that needs neither the lock nor a connection of its own.
  if (await isUpToDate(pool, migrations)) return
  const client = await pool.connect()
  try {
    await client.query(migrationLimits)
    await lock(client)
    await client.query(
      'create table if not exists schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
    )
    await applyMissing({ client, patience }, migrations)
  } finally {
    await client.query('select pg_advisory_unlock($1)', [migrationLock]).catch(() => undefined)
    // Its limits are not those of the pool's other work, so the connection ends here.
    client.release(true)
  }
}

/** Asks again and again: a statement that waits for the lock would keep its snapshot, and an index that is being made waits for that. */
const lock = async (client: pg.PoolClient): Promise<void> => {
  for (;;) {
    const { rows } = await client.query<{ isOurs: boolean }>('select pg_try_advisory_lock($1) as "isOurs"', [
      migrationLock,
    ])
    if (rows[0]?.isOurs) return
    await sleep(lockPollMs)
  }
}

const isUpToDate = async (pool: pg.Pool, { baseline, since }: Migrations): Promise<boolean> => {
  const applied = await readAppliedIfAny(pool)
  return [baseline, ...since].every(({ name, checksum }) => applied.get(name) === checksum)
}

/** Empty for a database that has no tables yet. */
export const readAppliedIfAny = async (pool: pg.Pool): Promise<Map<string, string>> => {
  const { rows } = await pool.query<{ exists: boolean }>(
    "select to_regclass('schema_migrations') is not null as exists",
  )
  return rows[0]?.exists ? readApplied(pool) : new Map()
}

/** The checksum of each, by its name. */
const readApplied = async (on: pg.Pool | pg.PoolClient): Promise<Map<string, string>> => {
  const { rows } = await on.query<{ name: string; checksum: string }>('select name, checksum from schema_migrations')
  return new Map(rows.map((row) => [row.name, row.checksum]))
}

const applyMissing = async (target: Target, { before, baseline, since }: Migrations): Promise<void> => {
  const applied = await readApplied(target.client)
  if (applied.size > 0 && !applied.has(baseline.name)) {
    requireKnown(applied, before)
    await applyEach(target, before, applied)
    await record(target.client, baseline)
    applied.set(baseline.name, baseline.checksum)
  }
  requireLast(applied, since)
  await applyEach(target, [baseline, ...since], applied)
}

const numberOf = (name: string): number => Number(/^\d{4}/.exec(name)?.[0] ?? 0)

/** One that is applied after its successors meets other tables than it was written for. */
const requireLast = (applied: ReadonlyMap<string, string>, since: readonly Migration[]): void => {
  const last = [...applied.keys()].sort((one, other) => numberOf(one) - numberOf(other)).at(-1)
  if (last === undefined) return
  for (const { name } of since)
    if (!applied.has(name) && numberOf(name) <= numberOf(last))
      throw new StartError(
        `The database has the migration ${last}, but not ${name}, which should have been applied before it: start the Chancery that made it, or restore the backup.`,
      )
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
  target: Target,
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
    await applyOne(target, migration).catch((problem: unknown) => {
      throw failureOf(migration, problem)
    })
  }
}

const applyOne = async ({ client, patience }: Target, migration: Migration): Promise<void> => {
  if (!isConcurrent(migration.sql)) return retryLocks(patience, () => applyAtOnce({ client, patience }, migration))
  await applyConcurrently(client, migration.sql, patience)
  await record(client, migration)
}

const applyAtOnce = async ({ client, patience }: Target, migration: Migration): Promise<void> => {
  await client.query(`begin; set local lock_timeout = ${patience.lockTimeoutMs}`)
  try {
    await client.query(migration.sql)
    await record(client, migration)
    await client.query('commit')
  } catch (problem) {
    await client.query('rollback')
    throw problem
  }
}

const failureOf = ({ name }: Migration, problem: unknown): StartError => {
  const why = hasLostLock(problem)
    ? 'other work holds its tables; start again when that has ended'
    : (problem as Error).message
  return new StartError(`Migration ${name} failed: ${why}.`, { cause: problem })
}

const record = (client: pg.PoolClient, { name, checksum }: Migration) =>
  client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
