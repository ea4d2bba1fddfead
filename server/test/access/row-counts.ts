/** How many rows each table holds: proof that a refused request wrote nothing. A job writes the folded hours, at any time. */
import { sql } from 'kysely'
import type { TestApp } from '#test/harness/app.ts'
import { dispatched } from '#test/harness/bus.ts'

export const rowCounts = async (app: TestApp): Promise<Record<string, number>> => {
  // The queue of earlier events empties by itself, which must not look like a change.
  await dispatched(app)
  const { db } = app
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'run_hours_folded'
    order by 1`.execute(db)
  const counts = tables.rows.map(({ name }) => sql`select ${name} as name, count(*) as count from ${sql.table(name)}`)
  const { rows } = await sql<{ name: string; count: number }>`${sql.join(counts, sql` union all `)}`.execute(db)
  return Object.fromEntries(rows.map(({ name, count }) => [name, Number(count)]))
}
