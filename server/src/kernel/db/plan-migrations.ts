/** What the next start would do to the database, without doing it. */
import type pg from 'pg'
import { readAppliedIfAny } from './migrate.ts'
import { isConcurrent } from './migrations/apply-concurrently.ts'
import type { Migrations } from './read-migrations.ts'

interface MigrationPlan {
  /** In this order. Each runs in a transaction, or statement by statement where it must not lock a large table. */
  missing: { name: string; isConcurrent: boolean }[]
  /** Applied by a newer release. */
  unknown: string[]
}

export const planMigrations = async (
  pool: pg.Pool,
  { before, baseline, since }: Migrations,
): Promise<MigrationPlan> => {
  const applied = await readAppliedIfAny(pool)
  const isOlder = applied.size > 0 && !applied.has(baseline.name)
  const missing = [...(isOlder ? before : [baseline]), ...since].filter(({ name }) => !applied.has(name))
  const known = new Set([...before, baseline, ...since].map(({ name }) => name))
  return {
    missing: missing.map(({ name, sql }) => ({ name, isConcurrent: isConcurrent(sql) })),
    unknown: [...applied.keys()].filter((name) => !known.has(name)),
  }
}
