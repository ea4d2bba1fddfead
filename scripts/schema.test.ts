import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Pool } from '../server/src/kernel/db/database.ts'
import { migrate } from '../server/src/kernel/db/migrate.ts'
import { readMigrations } from '../server/src/kernel/db/read-migrations.ts'
import { atEnd } from '../server/test/harness/at-end.ts'
import { cloneDatabase } from '../server/test/harness/database.ts'
import { describeSchema, migrationsFolder } from './describe-schema.ts'

const migrations = readMigrations(migrationsFolder)

/** Without anything in it. */
const emptyDatabase = async (): Promise<Pool> => {
  const database = await cloneDatabase()
  const pool = database.openPool(1)
  atEnd(async () => {
    await pool.end()
    await database.drop()
  })
  await pool.query('drop schema public cascade; create schema public')
  return pool
}

/** As a server before the baseline left it, with half of their migrations. */
const earlierDatabase = async (): Promise<Pool> => {
  const pool = await emptyDatabase()
  const [first, ...others] = migrations.before.slice(0, migrations.before.length / 2)
  if (!first) throw new Error('There are no migrations from before the baseline.')
  await migrate(pool, { before: [], baseline: first, since: others })
  return pool
}

const rowsOf = async (pool: Pool): Promise<Record<string, unknown[]>> => {
  const { rows: tables } = await pool.query<{ name: string }>(
    "select format('%I', relname) as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'S')",
  )
  const entries = tables
    .filter(({ name }) => name !== 'schema_migrations')
    .map(async ({ name }) => [name, (await pool.query(`select * from ${name} order by 1`)).rows] as const)
  return Object.fromEntries(await Promise.all(entries))
}

it('server/schema.sql is what `npm run docs` would write now', async () => {
  const pool = await emptyDatabase()
  await migrate(pool, migrations)
  expect(await describeSchema(pool)).toBe(readFileSync(new URL('../server/schema.sql', import.meta.url), 'utf8'))
})

it('a database that was begun with the migrations before the baseline becomes the same as a new one', async () => {
  const [earlier, fresh] = await Promise.all([earlierDatabase(), emptyDatabase()])
  await Promise.all([migrate(earlier, migrations), migrate(fresh, migrations)])
  expect(await describeSchema(earlier)).toBe(await describeSchema(fresh))
  expect(await rowsOf(earlier)).toEqual(await rowsOf(fresh))
})
