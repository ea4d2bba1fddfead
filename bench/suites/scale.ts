/**
 * What every list and page costs in a large instance, beside its cost at a hundredth of the size:
 *
 *     npm run bench -- scale
 *     npm run bench -- scale events=10000000 chats=1000000
 *
 * A line that grows names a list whose cost grows with other people's data, or with its owner's. Then one event is
 * published among all subscriptions, before and after one of them changes.
 */
import { createPool } from '../../server/src/kernel/db/database.ts'
import { median } from '../lib/first-byte.ts'
import { startPostgres } from '../lib/postgres.ts'
import { startServer } from '../lib/server.ts'
import { fill, type Owners, type Sizes } from '../scale/fill.ts'
import { type Visit, type Visitor, visitAll } from '../scale/visit.ts'

const usual: Sizes = {
  tenants: 10_000,
  people: 20_000,
  events: 1_000_000,
  runs: 100_000,
  chats: 100_000,
  documents: 50_000,
  subscriptions: 100_000,
  audit: 1_000_000,
}
const share = 100
const ingestKey = 'the key of the measurement'
const eventsToTime = 15

const write = (line: string): void => void process.stdout.write(`${line}\n`)

const sizesOf = (given: readonly string[]): Sizes => {
  const own = given.map((one) => one.split('=')).map(([name = '', size]) => [name, Number(size)])
  return { ...usual, ...Object.fromEntries(own) }
}

const each = (sizes: Sizes, change: (size: number) => number): Sizes =>
  Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, change(size)])) as unknown as Sizes

const poster =
  (url: string) =>
  async <Reply>(path: string, body: object, headers: Record<string, string> = {}): Promise<Reply> => {
    const reply = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`)
    return (await reply.json()) as Reply
  }

const password = 'a perfectly fine passphrase'

interface Signed {
  token: string
  user: { id: string; organizationId?: string | null }
}

const signUpAll = async (post: ReturnType<typeof poster>, setupKey: string) => {
  const account = (name: string) => ({ name, email: `${name}@bench.test`, password })
  const owner = await post<Signed>('/api/admin/auth/setup', { setupKey, ...account('owner') })
  const admin = await post<Signed>('/api/auth/register-company', { companyName: 'Large', ...account('admin') })
  const person = await post<Signed>('/api/auth/register', account('person'))
  return { owner, admin, person }
}

/** From the 202 to the decision, by asking for it. */
const dispatchMs = async (url: string, post: ReturnType<typeof poster>, token: string): Promise<number> => {
  const event = { event_type: 'type_1', source: 'bench', payload: { n: 1 } }
  const startMs = performance.now()
  const { event_id } = await post<{ event_id: string }>('/api/v1/events/ingest', event, { 'x-api-key': ingestKey })
  for (;;) {
    const reply = await fetch(`${url}/api/v1/events/${event_id}/deliveries`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const { pending } = (await reply.json()) as { pending?: boolean }
    if (!pending) return performance.now() - startMs
  }
}

const show = (small: readonly Visit[], large: readonly Visit[]): void => {
  const before = new Map(small.map((visit) => [`${visit.who} ${visit.path}`, visit]))
  const lines = large.map((visit) => {
    const { ms = Number.NaN } = before.get(`${visit.who} ${visit.path}`) ?? {}
    return { ...visit, smallMs: ms, growth: visit.ms / ms }
  })
  write('\n   small     large   growth       bytes  who     page')
  for (const { smallMs, ms, growth, bytes, who, path } of lines.toSorted((a, b) => b.ms - a.ms))
    write(
      `${smallMs.toFixed(1).padStart(8)} ${ms.toFixed(1).padStart(8)} ms ${growth.toFixed(1).padStart(6)} ×` +
        `${String(bytes).padStart(12)}  ${who.padEnd(6)}  ${path}`,
    )
  const over = lines.filter(({ ms }) => ms > 50)
  write(
    `\n${lines.length} pages; ${over.length} take more than 50 ms; median growth ${median(lines.map(({ growth }) => growth)).toFixed(2)} ×`,
  )
}

export const run = async (): Promise<void> => {
  const sizes = sizesOf(process.argv.slice(3))
  const setupKey = 'a setup key for the measurement only'
  const postgres = await startPostgres()
  const server = await startServer({
    DATABASE_URL: postgres.url,
    ADMIN_SETUP_KEY: setupKey,
    SVC_EVENT_API_KEY: ingestKey,
    SVC_PROCESSES: '1',
  })
  const pool = createPool({ connectionString: postgres.url, max: 2 })
  pool.on('error', () => undefined)
  try {
    const post = poster(server.url)
    const { owner, admin, person } = await signUpAll(post, setupKey)
    const { rows } = await pool.query('select organization_id from users where id = $1', [admin.user.id])
    const owners: Owners = {
      organizationId: rows[0].organization_id,
      adminId: admin.user.id,
      personId: person.user.id,
    }
    const visitors: Visitor[] = Object.entries({ owner, admin, person }).map(([name, { token }]) => ({ name, token }))
    const small = each(sizes, (size) => Math.ceil(size / share))
    const measure = async (): Promise<Visit[]> => {
      await visitAll(server.url, visitors)
      const visits = await visitAll(server.url, visitors)
      const times: number[] = []
      for (let n = 0; n < eventsToTime; n += 1) times.push(await dispatchMs(server.url, post, owner.token))
      const change = `update subscriptions set name = name || '.' where id = (select id from subscriptions limit 1)`
      await pool.query(change)
      const changedMs = await dispatchMs(server.url, post, owner.token)
      write(`event to decision ${median(times).toFixed(0)} ms, after a trigger changed ${changedMs.toFixed(0)} ms`)
      write(`memory ${server.residentMb().toFixed(0)} MB`)
      return visits
    }
    write(`at a hundredth: ${JSON.stringify(small)}`)
    await fill(
      pool,
      owners,
      each(sizes, () => 0),
      small,
    )
    const before = await measure()
    write(`whole: ${JSON.stringify(sizes)}`)
    const startMs = performance.now()
    await fill(pool, owners, small, sizes)
    write(`filled in ${((performance.now() - startMs) / 1000).toFixed(0)} s`)
    show(before, await measure())
  } finally {
    await pool.end()
    await server.stop()
    await postgres.stop()
  }
}
