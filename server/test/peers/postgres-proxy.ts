/** A wire between the app and its database. */
import { startWire, type Wire } from './wire.ts'

export interface PostgresProxy extends Omit<Wire, 'port'> {
  /** Of the database, through the wire. */
  url: string
}

const targetOf = (databaseUrl: URL) => {
  const folder = databaseUrl.searchParams.get('host')
  const port = databaseUrl.port || '5432'
  return folder === null ? { host: databaseUrl.hostname, port: Number(port) } : { path: `${folder}/.s.PGSQL.${port}` }
}

export const startPostgresProxy = async (databaseUrl: string): Promise<PostgresProxy> => {
  const url = new URL(databaseUrl)
  const { port, ...wire } = await startWire(targetOf(url))
  url.searchParams.delete('host')
  url.host = `127.0.0.1:${port}`
  return { url: url.href, ...wire }
}
