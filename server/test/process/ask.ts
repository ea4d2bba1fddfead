/** One statement over a connection of its own. */
import pg from 'pg'

export const ask = async (url: string, sql: string): Promise<Record<string, unknown> | undefined> => {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows[0]
  } finally {
    await client.end()
  }
}
