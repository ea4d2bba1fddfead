/** The database: which one, its schema, its clock, room for connections, and what is in front of it. */
import pg from 'pg'
import { connectionLimits } from '#kernel/db/connection-limits.ts'
import { findPooler } from '#kernel/db/pooler/find-pooler.ts'
import { type WithDatabase, withDatabaseOf } from '../installation.ts'
import { describePlan } from '../migrations.ts'
import { type Check, failed, ok, unused, warning } from './check.ts'

interface Facts {
  version: number
  text: string
  skewMs: number
  pools: number
  room: number
}

const read = async ({ databaseUrl, config }: WithDatabase): Promise<Facts> => {
  const client = new pg.Client({ connectionString: databaseUrl, ...connectionLimits.probe })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const askedMs = Date.now()
    const { rows } = await client.query<{ version: string; text: string; at: string; room: string }>(`
      select current_setting('server_version_num') as version, current_setting('server_version') as text,
        (extract(epoch from clock_timestamp()) * 1000)::text as at,
        (current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int)::text as room`)
    const [{ version, text, at, room } = { version: '0', text: '', at: '0', room: '0' }] = rows
    return {
      version: Number(version),
      text,
      skewMs: Math.abs(Number(at) - (askedMs + Date.now()) / 2),
      pools: config.SVC_PROCESSES * (config.DATABASE_POOL_SIZE + 3),
      room: Number(room),
    }
  } finally {
    await client.end().catch(() => undefined)
  }
}

const judge = (facts: Facts, [plan = '']: readonly string[]) => {
  const { version, text, skewMs, pools, room } = facts
  const where = `PostgreSQL ${text}`
  if (version < 150_000) return failed(`${where}: Chancery needs 15 or later.`)
  if (pools > room)
    return failed(`${where} allows ${room} connections, and this machine opens up to ${pools}: raise max_connections.`)
  if (skewMs > 2000)
    return warning(`${where}; its clock and this machine's differ by ${Math.round(skewMs / 1000)} s: run NTP on both.`)
  return plan === 'The database is up to date.' ? ok(`${where}, ${room} connections`) : warning(`${where}. ${plan}`)
}

export const database: Check = {
  name: 'Database',
  advice: 'Check DATABASE_URL, or start the server once where the embedded one is used.',
  run: (installation) =>
    withDatabaseOf(installation, async (opened) => judge(await read(opened), await describePlan(opened.databaseUrl))),
}

export const pooler: Check = {
  name: 'Pooler',
  advice: 'Check DATABASE_URL and DATABASE_URL_DIRECT.',
  run: async ({ config }) => {
    const { DATABASE_URL: url, DATABASE_URL_DIRECT: directUrl } = config
    if (url === undefined) return unused('none: the embedded database has no pooler')
    const { pooler: mode } = await findPooler({ url, directUrl })
    if (mode === 'none') return unused('none: DATABASE_URL leads to PostgreSQL itself')
    if (mode === 'transaction') return ok('transaction mode; what needs a session uses DATABASE_URL_DIRECT')
    return warning(
      'session mode: each connection keeps its own of PostgreSQL, so the pooler saves nothing. Use transaction mode with DATABASE_URL_DIRECT, or none.',
    )
  },
}
