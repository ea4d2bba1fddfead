/** A plugin on one node asks a browser that is connected to another. */
import { afterAll, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { bearer, createClient } from '#test/harness/client.ts'
import { createSockets } from '#test/harness/sockets.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'
import { startRedis } from '#test/peers/redis.ts'

const redis = await startRedis()
afterAll(() => redis.stop())
const provider = await startModelProvider({ models: ['swift'] })
const env = { COMPAT_API_BASE_URL: provider.url, REDIS_URL: redis.url, WEBSOCKET_EVENT_CALLER_TIMEOUT: '60' }
const here = await testApp({ env })
const there = await testApp({ env, databaseUrl: here.databaseUrl })

it('asks the browser across nodes, and fails at once when it leaves', async () => {
  const owner = await here.platformOwner()
  const content = `export class Tools {
    async sure(args, { __event_call__ }) { return String(await __event_call__({ type: 'confirmation', data: { title: 'Sure?' } })) }
  }`
  await owner.post('/api/v1/tools/create', { id: 'asker', name: 'Asker', content })
  const ana = await here.user()
  const socket = await createSockets(there.url).connectAs(ana)
  let answer: ((acknowledge: (value: unknown) => void) => void) | undefined = (acknowledge) => acknowledge(true)
  socket.on('events', (event, acknowledge) => {
    if (event.data.type === 'confirmation') answer?.(acknowledge)
  })
  const client = createClient(here.url, bearer(ana.token))
  const ask = async () => {
    provider.script({ toolCalls: [{ name: 'sure', arguments: {} }] }, { text: 'Done.' })
    const messages = [{ role: 'user', content: 'Go.' }]
    await client.post('/api/chat/completions', { model: 'swift', messages, tool_ids: ['asker'], session_id: socket.id })
    return provider.calls().at(-1)?.body.messages.at(-1).content
  }
  // Nodes find each other a moment after they start.
  await expect.poll(ask).toBe('true')
  answer = () => void socket.disconnect()
  expect(await ask()).toContain('not connected')
})
