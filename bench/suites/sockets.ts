/**
 * What open sockets cost while nothing happens: processor time of the server and of the database, and transactions, with
 * no socket and with many. `npm run bench -- sockets [count] [checkout]`; each socket has a person and a session of its own.
 */
import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { socketPath } from '@chancery/contract/chats/events.ts'
import { io, type Socket } from 'socket.io-client'
import { createPool, type Pool } from '../../server/src/kernel/db/database.ts'
import { createDatabaseWork } from '../events/database-work.ts'
import { startPostgres } from '../lib/postgres.ts'
import { startServer } from '../lib/server.ts'

const secret = 'a secret of the benchmark, which is long enough for the server to take it as one'
const seconds = 20
const settleMs = 10_000

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

/** Signed as the server does. */
const tokenOf = ({ id, sessionId }: Login): string => {
  const now = Math.floor(Date.now() / 1000)
  const input = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ sub: id, jti: sessionId, iat: now, exp: now + 3600 })}`
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}

interface Login {
  id: string
  sessionId: string
}

const addPeople = async (pool: Pool, count: number): Promise<Login[]> => {
  const people = Array.from({ length: count }, () => ({ id: randomUUID(), sessionId: randomUUID() }))
  const [ids, sessionIds] = [people.map(({ id }) => id), people.map(({ sessionId }) => sessionId)]
  await pool.query(
    `insert into users (id, name, email, role, created_at)
     select id, 'Bench', id || '@bench.test', 'ROLE_USER', now() from unnest($1::uuid[]) as id`,
    [ids],
  )
  await pool.query(
    `insert into sessions (id, principal_kind, principal_id, created_at, last_used_at, expires_at)
     select s, 'user', u, now(), now(), now() + interval '1 hour' from unnest($1::uuid[], $2::uuid[]) as x (s, u)`,
    [sessionIds, ids],
  )
  await pool.query('analyze users, sessions')
  return people
}

const connect = (url: string, token: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const options = { path: socketPath, transports: ['websocket'], forceNew: true, auth: { token } }
    const socket = io(url, options)
    socket.once('connect', () => resolve(socket))
    socket.once('connect_error', reject)
  })

const countTransactions = async (pool: Pool): Promise<number> => {
  await pool.query('select pg_stat_clear_snapshot()')
  const { rows } = await pool.query<{ count: string }>(
    `select sum(xact_commit + xact_rollback) as count from pg_stat_database where datname = current_database()`,
  )
  return Number(rows[0]?.count)
}

export const run = async (): Promise<void> => {
  const count = Number(process.argv[3] ?? 1000)
  const postgres = await startPostgres()
  // Another checkout can be named, for the build before.
  const server = await startServer({ DATABASE_URL: postgres.url, JWT_SECRET: secret }, process.argv[4])
  const pool = createPool({ connectionString: postgres.url, max: 2 })
  const databaseMs = await createDatabaseWork(pool)

  const measure = async (what: string): Promise<void> => {
    await sleep(settleMs)
    const before = [server.processorMs(), databaseMs(), await countTransactions(pool)] as const
    await sleep(seconds * 1000)
    const share = (ms: number): string => `${(ms / seconds / 10).toFixed(2)} % of a core`
    console.log(
      `${what}: server ${share(server.processorMs() - before[0])}, database ${share(databaseMs() - before[1])},`,
    )
    console.log(`  ${(((await countTransactions(pool)) - before[2]) / seconds).toFixed(1)} transactions/s`)
  }

  await measure('no socket')
  const people = await addPeople(pool, count)
  const sockets: Socket[] = []
  for (let from = 0; from < count; from += 50)
    sockets.push(...(await Promise.all(people.slice(from, from + 50).map((one) => connect(server.url, tokenOf(one))))))
  await measure(`${count} sockets`)
  console.log(`  still connected: ${sockets.filter(({ connected }) => connected).length}`)
  for (const socket of sockets) socket.disconnect()
  await pool.end()
  await server.stop()
  await postgres.stop()
}
