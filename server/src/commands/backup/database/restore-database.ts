/** Makes the tables of a backup and fills them, all in the caller's transaction. */
import type pg from 'pg'
import { StartError } from '#kernel/process/start-error.ts'
import type { Part } from '../file/reader.ts'
import { readWhole } from '../file/reader.ts'
import { countObjects } from './catalog.ts'
import { writeRows } from './copy.ts'

export const requireEmpty = async (client: pg.Client): Promise<void> => {
  const count = await countObjects(client)
  if (count === 0) return
  throw new StartError(
    `The database isn't empty: it has ${count} tables and other objects. A backup is restored into a new data folder (SVC_DATA_DIR) or an empty database (DATABASE_URL) only.`,
  )
}

export const runStatements = async (client: pg.Client, part: Part): Promise<void> => {
  for (const statement of (await readWhole(part)) as string[]) await client.query(statement)
}

export const fillTable = async (client: pg.Client, { header, content }: Part): Promise<number> => {
  const { table, columns } = header
  if (table === undefined || columns === undefined) throw new StartError(`The backup is damaged: ${header.name}.`)
  return writeRows(client, { table, columns }, content)
}
