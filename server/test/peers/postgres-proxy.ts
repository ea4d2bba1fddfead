/** A wire between the app and its database. */
import { startWire, type Wire } from './wire.ts'

export interface PostgresProxy extends Omit<Wire, 'port' | 'abandon'> {
  /** Of the database, through the wire. */
  url: string
  /** Existing connections fall silent permanently; new ones pass, to another database if one is given. */
  abandon(nextUrl?: string): void
}

const targetOf = (databaseUrl: URL) => {
  const folder = databaseUrl.searchParams.get('host')
  const port = databaseUrl.port || '5432'
  return folder === null ? { host: databaseUrl.hostname, port: Number(port) } : { path: `${folder}/.s.PGSQL.${port}` }
}

export const startPostgresProxy = async (databaseUrl: string): Promise<PostgresProxy> => {
  const url = new URL(databaseUrl)
  const { port, abandon, ...wire } = await startWire(targetOf(url))
  url.searchParams.delete('host')
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    ...wire,
    abandon: (nextUrl) => abandon(nextUrl === undefined ? undefined : targetOf(new URL(nextUrl))),
  }
}
