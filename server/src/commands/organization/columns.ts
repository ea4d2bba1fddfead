/** The columns of the tables that are exported, as the database has them. */
import type pg from 'pg'
import { exported } from './tables.ts'

export interface Column {
  name: string
  type: string
}

export interface ExportedTable {
  table: string
  /** Without those that PostgreSQL works out or numbers by itself. */
  columns: Column[]
  /** Numbers the rows; what is exported in this order gets such an order again. */
  numbering: string | null
}

export const readColumns = async (client: pg.Client): Promise<ExportedTable[]> => {
  const { rows } = await client.query<Column & { table: string; isNumbering: boolean }>(
    `select relname as table, attname as name, format_type(atttypid, null) as type, attidentity <> '' as "isNumbering"
     from pg_attribute join pg_class on pg_class.oid = attrelid
     where relnamespace = 'public'::regnamespace and relname = any($1) and attnum > 0 and not attisdropped
       and attgenerated = '' order by attrelid, attnum`,
    [Object.keys(exported)],
  )
  return Object.entries(exported).map(([table, { without = [] }]) => {
    const own = rows.filter((row) => row.table === table)
    return {
      table,
      columns: own.filter(({ name, isNumbering }) => !isNumbering && !without.includes(name)),
      numbering: own.find(({ isNumbering }) => isNumbering)?.name ?? null,
    }
  })
}
