/** A finished reply and a regeneration of it that fails: what was there stays, and the failure is shown beside it. */
import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { prepareChat } from '#test/harness/chat.ts'
import { type Behaviour, startModelProvider } from '#test/peers/model-provider.ts'

const provider = await startModelProvider({ models: ['swift'] })
const app = await testApp({ env: { COMPAT_API_BASE_URL: provider.url }, timings: { replySaveMs: 50 } })
const ana = await app.user()
afterAll(() => provider.close())

const path = '/api/chat/completions'

/** A chat whose reply is finished. */
const answered = async () => {
  const chat = await prepareChat(ana)
  provider.script({ text: 'The first answer.', usage: { prompt: 3, completion: 4 } })
  const reply = await ana.post(path, { model: 'swift', ...chat.body })
  expect(reply.status).toBe(200)
  expect(await chat.done()).toMatchObject({ content: 'The first answer.', model: 'swift' })
  return chat
}

const refusals: [string, number, Record<string, unknown>, Behaviour | undefined][] = [
  ['the provider is busy', 429, {}, { fail: { status: 429 } }],
  ['a tool is not allowed', 403, { tool_ids: ['server:mcp:foreign'] }, undefined],
  ['a file is missing', 404, { files: [{ type: 'file', id: randomUUID() }] }, undefined],
  ['the provider fails', 502, {}, { fail: { status: 500 } }],
  ['the provider refuses', 400, {}, { fail: { status: 400 } }],
]

describe.each(refusals)('a regeneration that is refused because %s', (_why, status, more, behaviour) => {
  it.each([false, true])('leaves the finished reply as it was (stream: %s)', async (stream) => {
    const chat = await answered()
    const before = await chat.message()
    if (behaviour) provider.script(behaviour)
    const reply = await ana.post(path, { model: 'swift', stream, ...chat.body, ...more })
    expect(reply.status).toBe(status)
    const { error, ...after } = await chat.message()
    expect(after).toEqual(before)
    expect(error).toMatchObject({ code: reply.body.code })
    await app.clock.forward({ minutes: 2 })
  })

  it('ends a message that was pending, with the failure', async () => {
    const chat = await prepareChat(ana)
    if (behaviour) provider.script(behaviour)
    await ana.post(path, { model: 'swift', ...chat.body, ...more })
    const stored = await chat.message()
    expect(stored).toMatchObject({ content: '', done: true })
    expect(stored.error).toBeDefined()
    await app.clock.forward({ minutes: 2 })
  })
})

describe('a regeneration', () => {
  it('that breaks off in the middle keeps the finished reply and shows the failure', async () => {
    const chat = await answered()
    const { usage } = await chat.message()
    provider.script({ chunks: ['The ', 'second '], errorAfter: 2 })
    await ana.post(path, { model: 'swift', stream: true, ...chat.body })
    const stored = await chat.done()
    expect(stored).toMatchObject({ content: 'The first answer.', usage, error: { code: 'provider_failed' } })
    provider.script({ text: 'The third answer.' })
    await ana.post(path, { model: 'swift', ...chat.body })
    const replaced = await chat.done()
    expect(replaced.content).toBe('The third answer.')
    expect(replaced.error).toBeUndefined()
  })

  it('that is stopped keeps what it has', async () => {
    const chat = await answered()
    provider.script({ chunks: ['The second'], hangsAfter: 1 })
    const begun = await ana.post(path, { model: 'swift', stream: true, ...chat.body }, { prefer: 'respond-async' })
    const [taskId] = begun.body.task_ids
    await expect.poll(async () => (await chat.message()).content).toBe('The second')
    await ana.post(`/api/tasks/stop/${taskId}`)
    expect(await chat.done()).toMatchObject({ content: 'The second', stopped: true })
  })
})

describe('calls of the caller’s own tools', () => {
  it.each([false, true])('are stored with the message (stream: %s)', async (stream) => {
    const chat = await prepareChat(ana)
    provider.script({ toolCalls: [{ id: 'call-1', name: 'look', arguments: { at: 'door' } }] })
    const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }]
    await ana.post(path, { model: 'swift', stream, tools, ...chat.body })
    expect((await chat.done()).tool_calls).toEqual([
      { id: 'call-1', type: 'function', function: { name: 'look', arguments: '{"at":"door"}' } },
    ])
  })
})

describe('a pre-release build', () => {
  it('refuses to stream into a message that does not exist, since nobody could read it', async () => {
    const early = await testApp({ env: { COMPAT_API_BASE_URL: provider.url, SVC_BUILD: 'pre-release' } })
    const bob = await early.user()
    const chat = await prepareChat(bob)
    const body = { model: 'swift', ...chat.body, id: randomUUID() }
    expect(await bob.post(path, { ...body, stream: true })).toMatchObject({
      status: 404,
      body: { code: 'message_not_found' },
    })
    expect(await bob.post(path, body)).toMatchObject({ status: 200 })
  })
})
