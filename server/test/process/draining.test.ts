/** A stop lets what is under way finish, and nothing else holds it. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { framesIn, prepareChat } from '#test/harness/chat.ts'
import { bearer, createClient } from '#test/harness/client.ts'
import { publish, runWhere, startByHand } from '#test/harness/runs.ts'
import { createSockets } from '#test/harness/sockets.ts'
import { node } from '#test/harness/workflows.ts'
import { gate, startModelProvider } from '#test/peers/model-provider.ts'
import { startPostgresProxy } from '#test/peers/postgres-proxy.ts'

const provider = await startModelProvider({ models: ['swift'] })
const env = { COMPAT_API_BASE_URL: provider.url }
const app = await testApp({ env })
const ana = await app.user()
const muchMs = 600_000
const startOther = (more: Record<string, string> = {}) =>
  testApp({ databaseUrl: app.databaseUrl, env: { ...env, DATABASE_URL: app.databaseUrl, ...more }, drainMs: muchMs })

const isRefused = (url: string) =>
  vi.waitFor(() => expect(fetch(`${url}/health`)).rejects.toThrow(), { timeout: 20_000, interval: 50 })

it('replies in a chat and on a connection end whole though the stop began long before, and stay alive meanwhile', {
  timeout: 60_000,
}, async () => {
  const other = await startOther()
  const there = { ...ana, ...createClient(other.url, bearer(ana.token)) }
  const held = gate()
  held.open()
  const script = () => provider.script({ chunks: ['It is', ' noon'], gate: held })
  script()
  const chat = await prepareChat(there)
  const begun = await there.post(
    '/api/chat/completions',
    { model: 'swift', stream: true, ...chat.body },
    { prefer: 'respond-async' },
  )
  const taskId = begun.body.task_ids[0] as string
  await provider.call(1)
  script()
  const messages = [{ role: 'user', content: 'x' }]
  const reading = there.post('/api/chat/completions', { model: 'swift', stream: true, messages })
  await provider.call(2)

  const stopping = other.stop()
  await isRefused(other.url)
  // Another node may end replies that nobody renews. The renewal comes every five seconds.
  await sql`update reply_tasks set beat_at = beat_at - interval '20 seconds' where id = ${taskId}`.execute(app.db)
  const isRenewed = sql<boolean>`beat_at > statement_timestamp() - interval '15 seconds'`.as('isRenewed')
  const task = () => app.db.selectFrom('replyTasks').select(isRenewed).where('id', '=', taskId).executeTakeFirst()
  await expect.poll(task, { timeout: 20_000 }).toMatchObject({ isRenewed: true })
  held.openForGood()
  await stopping

  const { body } = await ana.get(`/api/v1/chats/${chat.chatId}`)
  const message = body.chat.history.messages[chat.messageId]
  expect(message).toMatchObject({ content: 'It is noon', done: true })
  expect(message.error).toBeUndefined()
  const text = framesIn((await reading).text)
    .map((frame) => frame.choices?.[0]?.delta?.content ?? '')
    .join('')
  expect(text).toBe('It is noon')
})

it('a stop that begins while the database is away still waits for replies, and they are stored', {
  timeout: 60_000,
}, async () => {
  const wire = await startPostgresProxy(app.databaseUrl)
  const other = await testApp({
    databaseUrl: wire.url,
    env: { ...env, DATABASE_URL: wire.url },
    drainMs: muchMs,
    timings: { replySaveMs: 50 },
  })
  const there = { ...ana, ...createClient(other.url, bearer(ana.token)) }
  const held = gate()
  held.open()
  provider.script({ chunks: ['It is', ' noon'], gate: held })
  const chat = await prepareChat(there)
  await there.post('/api/chat/completions', { model: 'swift', stream: true, ...chat.body }, { prefer: 'respond-async' })
  await expect.poll(chat.message, { timeout: 10_000 }).toMatchObject({ content: 'It is' })

  wire.cut()
  let isStopped = false
  const stopping = other.stop().finally(() => {
    isStopped = true
  })
  await isRefused(other.url)
  // Longer than it takes to notice that nobody marks the jobs.
  await sleep(2000)
  expect(isStopped).toBe(false)
  wire.mend()
  held.openForGood()
  await stopping
  const { body } = await ana.get(`/api/v1/chats/${chat.chatId}`)
  const message = body.chat.history.messages[chat.messageId]
  expect(message).toMatchObject({ content: 'It is noon', done: true })
  expect(message.error).toBeUndefined()
  await wire.close()
})

it('a stop ends what it can while the database is away: nothing that could not be written keeps the rest open', {
  timeout: 60_000,
}, async () => {
  const wire = await startPostgresProxy(app.databaseUrl)
  const other = await testApp({ databaseUrl: wire.url, env: { ...env, DATABASE_URL: wire.url } })
  const there = { ...ana, ...createClient(other.url, bearer(ana.token)) }
  provider.script({ text: 'It is noon' })
  const messages = [{ role: 'user', content: 'x' }]
  // Its use would be written by the stop.
  expect((await there.post('/api/chat/completions', { model: 'swift', messages })).status).toBe(200)
  wire.cut()
  await other.stop()
  await expect(sql`select 1`.execute(other.db)).rejects.toThrow('Cannot use a pool after calling end')
  await wire.close()
})

it('idle connections, sockets and clients who only watch do not hold the stop', async () => {
  const other = await startOther({ SVC_EVENT_API_KEY: 'k' })
  const there = { ...ana, ...createClient(other.url, bearer(ana.token)) }
  const waiting = await publish(there, { nodes: [node('ask', { title: 'Now?' }, 'approval')], edges: [] })
  const { body: run } = await startByHand(there, waiting)
  await runWhere(there, run.id, ({ status }) => status === 'waiting')

  const idle = connect(Number(new URL(other.url).port), '127.0.0.1')
  idle.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(idle, 'data')
  const gone = once(idle.resume(), 'close')
  await createSockets(other.url).connectAs(ana)
  const watch = (path: string) => fetch(`${other.url}${path}`, { headers: bearer(ana.token) })
  const streams = await Promise.all([watch('/api/v1/events/stream'), watch(`/api/v1/agent-runs/${run.id}/stream`)])
  expect(streams.map(({ status }) => status)).toEqual([200, 200])

  await other.stop()
  await gone
  for (const stream of streams) await stream.text().catch(() => undefined)
})

it('/ready says 503 for a while before the first request is refused', async () => {
  const other = await startOther({ SVC_DRAIN_DELAY: '3' })
  expect((await fetch(`${other.url}/ready`)).status).toBe(200)
  const stopping = other.stop()
  const ready = await fetch(`${other.url}/ready`)
  expect([ready.status, await ready.json()]).toMatchObject([503, { code: 'not_ready' }])
  expect((await fetch(`${other.url}/health`)).status).toBe(200)
  await stopping
  await isRefused(other.url)
})
