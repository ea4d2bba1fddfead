/** The rows of one table as PostgreSQL writes and reads them itself: COPY, as text. */
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { TableToCopy } from './catalog.ts'

interface Rows {
  content: AsyncIterable<Buffer>
  /** Once the content has ended. */
  count(): number
}

interface Asked extends Pick<TableToCopy, 'values'> {
  /** What stands after `from`. */
  from: string
}

export const readRows = (client: pg.Client, { values, from }: Asked): Rows => {
  const stream = client.query(copyTo(`copy (select ${values.join(', ')} from ${from}) to stdout`))
  return { content: stream, count: () => stream.rowCount }
}

/** Returns how many. */
export const writeRows = async (
  client: pg.Client,
  { table, columns }: Pick<TableToCopy, 'table' | 'columns'>,
  content: AsyncIterable<Uint8Array>,
): Promise<number> => {
  const stream = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`))
  await pipeline(content, stream)
  return stream.rowCount
}
