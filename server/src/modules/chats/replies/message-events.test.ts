import { randomUUID } from 'node:crypto'
import { socketEvent } from '@chancery/contract/chats/events.ts'
import { describe, expect, it, vi } from 'vitest'
import { newChat, startChatsNode, turn, type Wire } from '#test/harness/conversation.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { createSockets } from '#test/harness/sockets.ts'

const app = await sharedApp()
const sockets = createSockets(app.url)
const ana = await app.user()

const scene = async (answer = 'Four') => {
  const messages = turn('What is two and two?', answer)
  const { id: chatId } = await newChat(ana, messages)
  const messageId = messages[1].id as string
  const send = (type: string, data: unknown, person: Pick<typeof ana, 'post'> = ana) =>
    person.post(`/api/v1/chats/${chatId}/messages/${messageId}/event`, { type, data })
  const message = async (): Promise<Wire> =>
    (await ana.get(`/api/v1/chats/${chatId}`)).body.chat.history.messages[messageId]
  return { chatId, messageId, send, message }
}

describe('an event from a tool', () => {
  it('is answered with true', async () => {
    const { send } = await scene()
    expect(await send('status', { description: 'Looking', done: false })).toMatchObject({ status: 200, body: true })
  })

  it('adds statuses in order, with done and hidden as they came', async () => {
    const { send, message } = await scene()
    const statuses = [
      { description: 'Looking' },
      { description: 'Still looking', done: false, hidden: true },
      { description: 'Found', done: true, urls: ['x'] },
    ]
    for (const status of statuses) await send('status', status)
    expect((await message()).statusHistory).toEqual(statuses)
  })

  it.each([
    ['message', 'Four and a half'],
    ['chat:message:delta', 'Four and a half'],
    ['replace', ' and a half'],
    ['chat:message', ' and a half'],
  ])('%s changes the text', async (type, expected) => {
    const { send, message } = await scene()
    await send(type, { content: ' and a half' })
    expect((await message()).content).toBe(expected)
  })

  it('appends text of many at once without losing any', async () => {
    const { send, message } = await scene('')
    const words = Array.from({ length: 25 }, (_, index) => `[${index}]`)
    await Promise.all(words.map((content) => send('message', { content })))
    const { content } = await message()
    expect(content).toHaveLength(words.join('').length)
    for (const word of words) expect(content).toContain(word)
  })

  it.each(['files', 'chat:message:files'])('%s adds files', async (type) => {
    const { send, message } = await scene()
    await send(type, { files: [{ id: 'one' }] })
    await send(type, { files: [{ id: 'two' }] })
    expect((await message()).files).toEqual([{ id: 'one' }, { id: 'two' }])
  })

  it('embeds are added at the end, and replaced or cleared when asked', async () => {
    const { send, message } = await scene()
    await send('embeds', { embeds: ['<b>one</b>'] })
    await send('embeds', { embeds: ['https://two.example'], replace: false })
    expect((await message()).embeds).toEqual(['<b>one</b>', 'https://two.example'])
    await send('embeds', { embeds: ['three'], replace: true })
    expect((await message()).embeds).toEqual(['three'])
    await send('embeds', { embeds: [], replace: true })
    expect((await message()).embeds).toEqual([])
  })

  it('embeds under the long name are shown and not stored, whatever replace says', async () => {
    const { send, message } = await scene()
    await send('embeds', { embeds: ['one'] })
    await send('chat:message:embeds', { embeds: ['two'], replace: true })
    expect((await message()).embeds).toEqual(['one'])
  })

  it.each(['source', 'citation'])('%s adds a source, and a code run replaces the one of its id', async (type) => {
    const { send, message } = await scene()
    const source = { source: { id: 'x', name: 'X' }, document: ['text'], metadata: [{ page: 1 }] }
    const run = (id: string, result: unknown) => ({ type: 'code_execution', id, name: 'sum', code: '2+2', result })
    await send(type, source)
    await send(type, run('a', undefined))
    await send(type, run('b', undefined))
    await send(type, run('a', { output: '4' }))
    expect(await message()).toMatchObject({
      sources: [source],
      code_executions: [{ id: 'a', result: { output: '4' } }, { id: 'b' }],
    })
    expect((await message()).code_executions).toHaveLength(2)
  })

  it('a notification is shown and not stored', async () => {
    const { send, message } = await scene()
    const before = await message()
    expect(await send('notification', { type: 'success', content: 'Saved' })).toMatchObject({ status: 200 })
    expect(await message()).toEqual(before)
  })

  it.each([
    'input',
    'confirmation',
    'execute',
    'chat:title',
    'chat:tags',
    'chat:completion',
    'chat:changed',
    'toString',
    '',
  ])('%s is refused, since it cannot come from outside', async (type) => {
    const { send, message } = await scene()
    const before = await message()
    expect(await send(type, { code: 'alert(1)', title: 'x', tags: [], content: 'x' })).toMatchObject({
      status: 400,
      body: { code: 'event_not_allowed' },
    })
    expect(await message()).toEqual(before)
  })

  it.each<[string, unknown]>([
    ['status', { description: 5 }],
    ['message', {}],
    ['replace', { content: null }],
    ['files', { files: 'x' }],
    ['embeds', { embeds: [{}] }],
    ['notification', { type: 'loud', content: 'x' }],
    ['source', { type: 'code_execution' }],
  ])('%s with the wrong data names what is wrong', async (type, data) => {
    const { send } = await scene()
    const reply = await send(type, data)
    expect(reply).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    expect(reply.body.detail[0].loc.slice(0, 2)).toEqual(['body', 'data'])
  })

  it('A37: a poisoned key inside its data is refused', async () => {
    const { send, message } = await scene()
    expect(await send('source', { metadata: [{ constructor: { prototype: {} } }] })).toMatchObject({
      status: 400,
      body: { code: 'unsafe_key' },
    })
    expect(await message()).not.toHaveProperty('sources')
  })

  it('keeps the newest five hundred of a list, and mends one that a merge has spoilt', async () => {
    const { chatId, messageId, send, message } = await scene()
    const spoilt = {
      [messageId]: { statusHistory: 'no list', sources: Array.from({ length: 500 }, (_, n) => ({ n })) },
    }
    await ana.post(`/api/v1/chats/${chatId}`, { chat: { history: { messages: spoilt } } })
    await send('status', { description: 'Looking' })
    await send('source', { n: 500 })
    const { statusHistory, sources } = await message()
    expect(statusHistory).toEqual([{ description: 'Looking' }])
    expect(sources).toHaveLength(500)
    expect([sources[0], sources[499]]).toEqual([{ n: 1 }, { n: 500 }])
  })

  it('stops where a chat is full', async () => {
    const { chatId, messageId, send, message } = await scene('')
    const megabyte = 'x'.repeat(999_000)
    const full = { [messageId]: { content: megabyte.repeat(7) } }
    await ana.post(`/api/v1/chats/${chatId}`, { chat: { history: { messages: full } } })
    expect(await send('message', { content: megabyte })).toMatchObject({ status: 200 })
    expect(await send('message', { content: megabyte })).toMatchObject({
      status: 413,
      body: { code: 'chat_too_large' },
    })
    expect((await message()).content).toHaveLength(8 * 999_000)
  }, 30_000)

  it('comes from the owner or from a platform admin, and from nobody else', async () => {
    const { send, message, chatId } = await scene()
    const status = { description: 'Looking' }
    expect(await send('status', status, await app.platformOwner())).toMatchObject({ status: 200, body: true })
    expect(await send('status', status, await app.user())).toMatchObject({
      status: 404,
      body: { code: 'chat_not_found' },
    })
    expect(await send('status', status, app.newcomer())).toMatchObject({ status: 401 })
    expect((await message()).statusHistory).toHaveLength(1)
    const nowhere = `/api/v1/chats/${chatId}/messages/${randomUUID()}/event`
    for (const type of ['status', 'notification'])
      expect(await ana.post(nowhere, { type, data: { ...status, type: 'info', content: 'x' } })).toMatchObject({
        status: 404,
        body: { code: 'message_not_found' },
      })
  })

  it('reaches every tab of the owner as it was sent, and nobody else', async () => {
    const { chatId, messageId, send } = await scene()
    const bob = await app.user()
    const [tab, other, foreign] = await Promise.all([ana, ana, bob].map((person) => sockets.connectAs(person)))
    const heard = [tab, other, foreign].map((socket) => {
      const events: Wire[] = []
      socket?.on(socketEvent, (event) => events.push(event))
      return events
    })
    await send('status', { description: 'Looking', done: false })
    await send('chat:message:embeds', { embeds: ['one'], replace: true })
    const expected = [
      {
        chat_id: chatId,
        message_id: messageId,
        data: { type: 'status', data: { description: 'Looking', done: false } },
      },
      { chat_id: chatId, message_id: messageId, data: { type: 'chat:message:embeds', data: { embeds: ['one'] } } },
    ]
    await vi.waitFor(() => expect(heard).toEqual([expected, expected, []]), { timeout: 5000 })
  })
})

describe('an event from inside', async () => {
  const { chats } = await startChatsNode(app)

  it('may also name the chat, tag it and mark a message, and is mended where it is unfit', async () => {
    const { chatId, messageId, message } = await scene()
    const head = await chats.requireChat({ id: ana.id } as never, chatId)
    await chats.applyEvent(head, messageId, { type: 'chat:title', data: { title: 'Sums' } })
    await chats.applyEvent(head, messageId, { type: 'chat:tags', data: { tags: ['maths'] } })
    await chats.applyEvent(head, messageId, { type: 'chat:message:favorite', data: { favorite: true } })
    await chats.applyEvent(head, messageId, { type: 'status', data: { description: 'a\0b', constructor: 1 } })
    expect((await message()).statusHistory).toEqual([{ description: 'ab' }])
    await expect(chats.applyEvent(head, messageId, { type: 'input', data: {} })).rejects.toMatchObject({
      code: 'event_not_allowed',
    })
    expect(await message()).toMatchObject({ favorite: true })
    expect((await ana.get(`/api/v1/chats/${chatId}`)).body).toMatchObject({ title: 'Sums', meta: { tags: ['maths'] } })
  })

  it('as a completion replaces the text, adds a chunk or adds sources; anything else in it is shown only', async () => {
    const cited = [{ source: { name: 'Almanac' }, document: ['noon'], metadata: [{}] }]
    const cases: [unknown, Wire][] = [
      [{ content: 'Five' }, { content: 'Five' }],
      [{ seq: 99, done: true, choices: [{ delta: { content: ' or' } }, { delta: {} }] }, { content: 'Four or' }],
      [{ sources: cited }, { content: 'Four', sources: cited }],
      [{ content: 7, own: 'thing' }, { content: 'Four' }],
      ['custom', { content: 'Four' }],
    ]
    for (const [data, expected] of cases) {
      const { chatId, messageId, message } = await scene()
      const head = await chats.requireChat({ id: ana.id } as never, chatId)
      const before = await message()
      await chats.applyEvent(head, messageId, { type: 'chat:completion', data })
      expect(await message()).toEqual({ ...before, ...expected })
    }
  })
})
