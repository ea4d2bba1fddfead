/** What `chancery migrate` does, and what it says. */
import { fileURLToPath } from 'node:url'
import { createPool, type Pool } from '#kernel/db/database.ts'
import { migrate } from '#kernel/db/migrate.ts'
import { planMigrations } from '#kernel/db/plan-migrations.ts'
import { readMigrations } from '#kernel/db/read-migrations.ts'

const folder = fileURLToPath(new URL('../../migrations', import.meta.url))

const withPool = async <Result>(connectionString: string, use: (pool: Pool) => Promise<Result>): Promise<Result> => {
  const pool = createPool({ connectionString, max: 1 })
  pool.on('error', () => undefined)
  try {
    return await use(pool)
  } finally {
    await pool.end()
  }
}

export const describePlan = (databaseUrl: string): Promise<string[]> =>
  withPool(databaseUrl, async (pool) => {
    const { missing, unknown } = await planMigrations(pool, readMigrations(folder))
    if (unknown.length > 0)
      return [`This database was used by a newer release: it has ${unknown.join(', ')}, which this one doesn't know.`]
    if (missing.length === 0) return ['The database is up to date.']
    const steps = missing.map(
      ({ name, isConcurrent }) => `${name}: ${isConcurrent ? 'step by step beside other work' : 'in one transaction'}`,
    )
    return [`The next start applies ${missing.length}:`, ...steps.map((step) => `  ${step}`)]
  })

export const applyMigrations = (databaseUrl: string): Promise<string[]> =>
  withPool(databaseUrl, async (pool) => {
    const migrations = readMigrations(folder)
    const { missing } = await planMigrations(pool, migrations)
    await migrate(pool, migrations)
    return missing.length === 0 ? ['The database is up to date.'] : missing.map(({ name }) => `Applied ${name}.`)
  })
