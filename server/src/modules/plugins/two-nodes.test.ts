/** Plugins on several nodes: a change counts on all of them, and the browser that is asked may be connected to another. */
import { questionClosed } from '@chancery/contract/chats/events.ts'
import { afterAll, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { prepareChat } from '#test/harness/chat.ts'
import { bearer, createClient } from '#test/harness/client.ts'
import { createPluginAuthor } from '#test/harness/plugins.ts'
import { createSockets } from '#test/harness/sockets.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'
import { startRedis } from '#test/peers/redis.ts'

const redis = await startRedis()
afterAll(() => redis.stop())
const provider = await startModelProvider({ models: ['swift'] })
const env = { COMPAT_API_BASE_URL: provider.url, REDIS_URL: redis.url, WEBSOCKET_EVENT_CALLER_TIMEOUT: '60' }
const here = await testApp({ env })
const there = await testApp({ env, databaseUrl: here.databaseUrl })

it('asks the browser across nodes; the question ends when the browser leaves or the reply is stopped on either node', async () => {
  const owner = await here.platformOwner()
  const content = `export class Tools {
    failed = 0
    async sure(args, { __event_call__ }) {
      try {
        return String(await __event_call__({ type: 'confirmation', data: { title: 'Sure?' } }))
      } catch (problem) {
        this.failed += 1
        throw problem
      }
    }
    failures() { return String(this.failed) }
  }`
  await owner.post('/api/v1/tools/create', { id: 'asker', name: 'Asker', content })
  const ana = await here.user()
  const socket = await createSockets(there.url).connectAs(ana)
  const asked: string[] = []
  const closed: string[] = []
  let answer = (acknowledge: (value: unknown) => void): void => acknowledge(true)
  socket.on('events', ({ data: { type, data }, question_id }, acknowledge) => {
    if (type === questionClosed) closed.push(data.id)
    if (type !== 'confirmation') return
    asked.push(question_id)
    answer(acknowledge)
  })
  const call = async (name: string) => {
    provider.script({ toolCalls: [{ name, arguments: {} }] }, { text: 'Done.' })
    const messages = [{ role: 'user', content: 'Go.' }]
    await ana.post('/api/chat/completions', { model: 'swift', messages, tool_ids: ['asker'], session_id: socket.id })
    return provider.calls().at(-1)?.body.messages.at(-1).content
  }
  // Nodes find each other a moment after they start.
  await expect.poll(() => call('sure')).toBe('true')
  const failures = Number(await call('failures'))

  answer = () => undefined
  for (const node of [here, there]) {
    const chat = await prepareChat(ana)
    const body = { model: 'swift', ...chat.body, stream: true, tool_ids: ['asker'], session_id: socket.id }
    const before = asked.length
    provider.script({ toolCalls: [{ name: 'sure', arguments: {} }] })
    const { task_ids } = (await ana.post('/api/chat/completions', body, { prefer: 'respond-async' })).body
    await expect.poll(() => asked.length).toBe(before + 1)
    const elsewhere = createClient(node.url, bearer(ana.token))
    expect(await elsewhere.post(`/api/tasks/stop/${task_ids[0]}`)).toMatchObject({ status: 200 })
    await expect.poll(() => closed).toContain(asked.at(-1))
    expect(await chat.done()).toMatchObject({ stopped: true })
  }
  await expect.poll(() => call('failures')).toBe(String(failures + 2))

  answer = () => void socket.disconnect()
  expect(await call('sure')).toContain('not connected')
})

it('runs nothing of a deleted plugin when a new one takes its ID: no source, no settings, on either node', async () => {
  const owner = await here.platformOwner()
  const ana = await here.user()
  const sourceOf = (word: string) => `export class Tools {
    static Valves = { key: { type: 'string', secret: true } }
    static UserValves = { own: { type: 'string', secret: true } }
    async tell(args, { __user__ }) {
      return ['${word}', this.valves.key ?? 'no key', __user__.valves.own ?? 'nothing own'].join(' ')
    }
  }`
  const create = (word: string) =>
    owner.post('/api/v1/tools/create', { id: 'twin', name: word, content: sourceOf(word) })
  const tell = async (node: typeof here) => {
    provider.script({ toolCalls: [{ name: 'tell', arguments: {} }] }, { text: 'Done.' })
    const messages = [{ role: 'user', content: 'Go.' }]
    const by = createClient(node.url, bearer(ana.token))
    await by.post('/api/chat/completions', { model: 'swift', messages, tool_ids: ['twin'] })
    return provider.calls().at(-1)?.body.messages.at(-1).content
  }
  expect((await create('first')).status).toBeLessThan(300)
  await owner.post('/api/v1/tools/id/twin/valves/update', { valves: { key: 'old secret' } })
  await ana.post('/api/v1/tools/id/twin/valves/user/update', { valves: { own: 'my secret' } })
  for (const node of [here, there]) await expect.poll(() => tell(node)).toBe('first old secret my secret')

  await owner.delete('/api/v1/tools/id/twin/delete')
  expect((await create('second')).status).toBeLessThan(300)
  await owner.post('/api/v1/tools/id/twin/valves/update', { valves: {} })
  for (const node of [here, there]) await expect.poll(() => tell(node)).toBe('second no key nothing own')
})

it('counts a change at once on every node, as does each node’s own time limit for questions', async () => {
  const owner = await here.platformOwner()
  const { add, addFilter, remove } = createPluginAuthor(owner)
  const env = { COMPAT_API_BASE_URL: provider.url }
  const config = { WEBSOCKET_EVENT_CALLER_TIMEOUT: 0.2 }
  const second = await testApp({ databaseUrl: here.databaseUrl, env, config })
  const path = '/api/chat/completions'
  const messages = [{ role: 'user', content: 'Go.' }]
  const id = await addFilter('priority = 1; inlet() { throw new Error("Not here.") }')
  await owner.post(`/api/v1/functions/id/${id}/toggle/global`)
  const ana = await here.user()
  const ask = () =>
    second.newcomer().send('POST', path, {
      body: JSON.stringify({ model: 'swift', messages }),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${ana.token}` },
    })
  await expect.poll(async () => (await ask()).status).toBe(400)
  await remove('functions', id)
  await expect.poll(async () => (await ask()).status).toBe(200)

  // A browser that never answers: the plugin gets an exception, and decides what to make of it.
  const asking = await add(
    'functions',
    `export class Pipe {
    pipe(body, { __event_call__: ask }) {
      return ask({ type: 'confirmation', data: { title: '?' } }).catch(({ message }) => 'Caught: ' + message)
    }
  }`,
  )
  const { id: session_id } = await createSockets(second.url).connectAs(ana)
  const client = createClient(second.url, bearer(ana.token))
  const reply = await client.post(path, { model: asking, messages, session_id })
  expect(reply.body.choices[0].message.content).toMatch(/^Caught: .*didn't respond/)
  await remove('functions', asking)
  await second.stop()
})
