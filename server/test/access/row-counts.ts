/**
 * The number of rows in each table: proof that a refused request wrote nothing. Not of what refused
 * requests are counted in themselves, nor of the folded hours, which a job writes at any time.
 */
import { sql } from 'kysely'
import type { TestApp } from '#test/harness/app.ts'
import { dispatched } from '#test/harness/bus.ts'
import { until } from '#test/kernel/until.ts'

/** Work left by earlier requests ends by itself, which must not look like a change. */
const settled = async (app: TestApp): Promise<void> => {
  const sealing = app.db.selectFrom('signingDocuments').select('id').where('state', '=', 'SEALING')
  await until(async () => (await sealing.executeTakeFirst()) === undefined, 'the sealing of all documents')
  await dispatched(app)
}

export const rowCounts = async (app: TestApp): Promise<Record<string, number>> => {
  await settled(app)
  const { db } = app
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('run_hours_folded', 'quota_debts')
    order by 1`.execute(db)
  const counts = tables.rows.map(({ name }) => sql`select ${name} as name, count(*) as count from ${sql.table(name)}`)
  const { rows } = await sql<{ name: string; count: number }>`${sql.join(counts, sql` union all `)}`.execute(db)
  return Object.fromEntries(rows.map(({ name, count }) => [name, Number(count)]))
}
