/** Two nodes work through a real pgbouncer, whose few sessions they share. */
import { afterAll, describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { ingest, ingestKey, withKey } from '#test/harness/bus.ts'
import { prepareChat } from '#test/harness/chat.ts'
import { cloneDatabase } from '#test/harness/database.ts'
import { password } from '#test/harness/people.ts'
import { atRest, expectPromisesKept, prepareListeners } from '#test/harness/promises.ts'
import { createSockets } from '#test/harness/sockets.ts'
import { until } from '#test/kernel/until.ts'
import { describeWithPgbouncer, startPgbouncer } from '#test/peers/pgbouncer.ts'
import { startSite } from '#test/peers/site.ts'
import { launchChancery } from './chancery.ts'
import { tempFolder } from './temp-folder.ts'

const site = await startSite((_request, response) => void response.end('ok'))
afterAll(() => site.close())
const env = { SVC_EVENT_API_KEY: ingestKey, OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${site.port}` }

const startNodes = async (mode: 'session' | 'transaction') => {
  const database = await cloneDatabase()
  const poolSize = mode === 'session' ? 30 : 3
  const { url } = await startPgbouncer(database.url, { mode, poolSize, hasLimits: mode === 'transaction' })
  const addresses = { DATABASE_URL: url, ...(mode === 'transaction' && { DATABASE_URL_DIRECT: database.url }) }
  const start = () => testApp({ databaseUrl: url, env: { ...env, ...addresses } })
  const [one, two] = [await start(), await start()]
  return { one, two }
}

describeWithPgbouncer('behind pgbouncer', () => {
  describe.each(['transaction', 'session'] as const)('in %s mode', (mode) => {
    it('events, runs, chats, searches, sign-in, emails and sockets work on both nodes', {
      timeout: 120_000,
    }, async () => {
      const { one, two } = await startNodes(mode)
      const listening = await prepareListeners(one, site.origin)
      const ana = await one.user({ name: 'Ana Example' })
      const failures: unknown[] = []
      const accepted: string[] = []
      const round = async (number: number): Promise<void> => {
        const node = number % 2 === 0 ? one : two
        const expectFine = ({ status, text }: { status: number; text: string }) => status < 400 || failures.push(text)
        const event = { event_type: 'start', correlation_id: `c-${number % 7}`, source: 'load', payload: { number } }
        const taken = await ingest(node, event, { ...withKey, 'idempotency-key': `event-${number}` })
        expectFine(taken)
        accepted.push(taken.body.event_id)
        expectFine(await node.newcomer().post('/api/auth/login', { email: ana.email, password }))
        await prepareChat(ana, { title: `Chat ${number}` })
        expectFine(await ana.get('/api/v1/chats/search?text=time'))
        expectFine(await ana.get('/api/models'))
      }
      const lanes = Array.from({ length: 6 }, async (_, lane) => {
        for (let number = lane; number < 60; number += 6) await round(number)
      })
      await Promise.all(lanes)
      expect(failures).toEqual([])
      await atRest(one.db)
      await expectPromisesKept(one.db, { ...listening, accepted })

      // A job on pg-boss sends it.
      await two.newcomer().post('/api/auth/forgot-password', { email: ana.email })
      await until(() => [one, two].some((node) => node.lettersTo(ana.email).length > 0), 'the email')
      // What one node changes ends a socket of the other, by a signal.
      const socket = await createSockets(two.url).connectAs(ana)
      const ended = new Promise((resolve) => socket.once('disconnect', resolve))
      expect((await ana.post('/api/auth/logout')).status).toBeLessThan(300)
      await ended
    })
  })

  it('the server itself refuses to start in transaction mode without a direct address', async () => {
    const database = await cloneDatabase()
    const { url } = await startPgbouncer(database.url, { mode: 'transaction', hasLimits: true })
    const server = launchChancery({ dataDir: await tempFolder(), env: { DATABASE_URL: url } })
    expect(await server.ended).toBe(1)
    expect(server.output().trim()).toBe(
      'DATABASE_URL leads to a connection pooler in transaction mode: set DATABASE_URL_DIRECT to the address of PostgreSQL itself, which listening, migrations and locks need, or set pool_mode = session in the pooler.',
    )
    await database.drop()
  })
})
