/** How many rows each table holds: proof that a refused request wrote nothing. A job writes the folded hours, at any time. */
import { sql } from 'kysely'
import type { TestApp } from '#test/harness/app.ts'

export const rowCounts = async ({ db }: TestApp): Promise<Record<string, number>> => {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'run_hours_folded'
    order by 1`.execute(db)
  const counts = tables.rows.map(({ name }) => sql`select ${name} as name, count(*) as count from ${sql.table(name)}`)
  const { rows } = await sql<{ name: string; count: number }>`${sql.join(counts, sql` union all `)}`.execute(db)
  return Object.fromEntries(rows.map(({ name, count }) => [name, Number(count)]))
}
