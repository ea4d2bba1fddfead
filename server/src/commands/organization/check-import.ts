/**
 * What must be true of imported rows. Who made the file may have written anything into it: rows of other organizations, or
 * rows that name somebody else's things. Both are refused, whatever the table.
 */
import type pg from 'pg'
import { StartError } from '#kernel/process/start-error.ts'
import { fileColumns } from '../backup/database/named-files.ts'
import type { ExportedTable } from './columns.ts'
import { exported, forOrganization } from './tables.ts'

interface Organization {
  id: string
  name: string
}

export const requireFree = async (client: pg.Client, { id, name }: Organization): Promise<void> => {
  const { rowCount } = await client.query('select from organizations where id = $1', [id])
  if (rowCount !== 0) throw new StartError(`${name} (${id}) is already here. An organization is imported only once.`)
}

/** How many rows of each table are the organization's, and keep to what is demanded of imported ones. */
export const countRows = async (client: pg.Client, id: string): Promise<Map<string, number>> => {
  const counts = new Map<string, number>()
  for (const [table, { where, demands = 'true' }] of Object.entries(exported)) {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from ${table} where ${forOrganization(where, id)} and (${demands})`,
    )
    counts.set(table, rows[0]?.count ?? 0)
  }
  return counts
}

interface Files {
  id: string
  named: ReadonlySet<string>
}

/** A key that somebody else's row names would show or replace their file. What nobody names may be of an earlier attempt. */
export const requireFreeKeys = async (client: pg.Client, { id, named }: Files): Promise<void> => {
  await client.query('create temp table imported_files (key text) on commit drop')
  await client.query('insert into imported_files select unnest($1::text[])', [[...named]])
  await client.query('analyze imported_files')
  const columns = [...fileColumns, ['unowned_blobs', 'key']] as const
  for (const [table, column] of columns) {
    const own = forOrganization(exported[table]?.where ?? 'false', id)
    const { rowCount } = await client.query(
      `select from ${table} where ${column} in (select key from imported_files) and ${own} is not true limit 1`,
    )
    if (rowCount !== 0)
      throw new StartError('The file has names of files that belong to somebody else here. Nothing was imported.')
  }
}

interface Imported {
  id: string
  tables: readonly ExportedTable[]
  before: ReadonlyMap<string, number>
  copied: ReadonlyMap<string, number>
}

export const checkImported = async (client: pg.Client, { id, tables, before, copied }: Imported): Promise<void> => {
  const after = await countRows(client, id)
  for (const { table } of tables)
    if (after.get(table) !== (before.get(table) ?? 0) + (copied.get(table) ?? 0))
      throw new StartError(`The file has rows of ${table} that don't belong to the organization. Nothing was imported.`)
  if (after.get('organizations') !== 1) throw new StartError('The file has no organization. Nothing was imported.')
  await requireOwnReferences(client, { id, tables })
}

/** Every id in the rows, in whatever column, that is also the id of something of somebody else. */
const requireOwnReferences = async (
  client: pg.Client,
  { id, tables }: Pick<Imported, 'id' | 'tables'>,
): Promise<void> => {
  await client.query('create temp table imported_references (reference uuid) on commit drop')
  for (const { table, columns } of tables)
    for (const { name, type } of columns) {
      if (type !== 'uuid' && type !== 'uuid[]') continue
      const value = type === 'uuid' ? `"${name}"` : `unnest("${name}")`
      await client.query(
        `insert into imported_references select distinct ${value} from ${table}
         where ${forOrganization(exported[table]?.where ?? 'false', id)}`,
      )
    }
  await client.query('analyze imported_references')
  for (const { table, columns } of tables) {
    if (!columns.some(({ name, type }) => name === 'id' && type === 'uuid')) continue
    const { rows } = await client.query<{ id: string }>(
      `select id from ${table} where id in (select reference from imported_references)
       and ${forOrganization(exported[table]?.where ?? 'false', id)} is not true limit 1`,
    )
    if (rows[0])
      throw new StartError(
        `The file names ${rows[0].id} of ${table}, which belongs to somebody else here. Nothing was imported.`,
      )
  }
}
