/** Replies that belong to a chat: three readers, none of whom can stop them. */
import { randomUUID } from 'node:crypto'
import type { ReplyFrame } from '@chancery/contract/chats/events.ts'
import type { Socket } from 'socket.io-client'
import { describe, expect, it, vi } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { framesIn, type PreparedChat, prepareChat } from '#test/harness/chat.ts'
import type { Person } from '#test/harness/people.ts'
import { createSockets } from '#test/harness/sockets.ts'
import { gate, startModelProvider } from '#test/peers/model-provider.ts'

const provider = await startModelProvider({ models: ['swift'] })
const app = await testApp({ env: { COMPAT_API_BASE_URL: provider.url } })
const sockets = createSockets(app.url)
const path = '/api/chat/completions'
const later = { prefer: 'respond-async' }

interface Event {
  chat_id: string
  message_id: string
  data: { type: string; data: ReplyFrame }
}

const eventsOf = (socket: Socket): Event[] => {
  const events: Event[] = []
  socket.on('events', (event: Event) => void events.push(event))
  return events
}
const framesOf = (events: readonly Event[], chat: PreparedChat): ReplyFrame[] =>
  events
    .filter((event) => event.data.type === 'chat:completion' && event.message_id === chat.messageId)
    .map((event) => event.data.data)
const textOf = (frames: readonly ReplyFrame[]): string =>
  frames.map((frame) => frame.choices?.[0]?.delta?.content ?? '').join('')
const heardEnd = (events: readonly Event[], chat: PreparedChat) =>
  vi.waitFor(() => expect(framesOf(events, chat).at(-1)?.done).toBe(true), { timeout: 10_000, interval: 10 })

/** A reply that has said its first words and waits. */
const startHeld = async (person: Person, chunks: string[]) => {
  const chat = await prepareChat(person)
  const held = gate()
  held.open()
  provider.script({ chunks, gate: held })
  const count = provider.calls().length
  const begun = await person.post(path, { model: 'swift', stream: true, ...chat.body }, later)
  expect(begun).toMatchObject({ status: 202, body: { status: true, chat_id: chat.chatId } })
  const [taskId] = begun.body.task_ids
  return { chat, held, taskId, call: await provider.call(count + 1) }
}

/** The first frame of the resume stream: the words are in. */
const saidSomething = async (person: Person, chat: PreparedChat): Promise<void> => {
  const headers = { authorization: `Bearer ${person.token}` }
  const leaving = new AbortController()
  const ref = `${app.url}/api/v1/chats/${chat.chatId}/messages/${chat.messageId}/stream?after=0`
  const { body } = await fetch(ref, { headers, signal: leaving.signal })
  await body?.getReader().read()
  leaving.abort()
}

describe('a reply in a chat', () => {
  it('reaches the caller as a stream, and is stored as done by the time the stream ends', async () => {
    const ana = await app.user()
    const chat = await prepareChat(ana)
    provider.script({ reasoning: ['Hm.'], chunks: ['It is', ' noon'] })
    const reply = await ana.post(path, { model: 'swift', stream: true, ...chat.body })
    expect(reply).toMatchObject({ status: 200 })
    expect(reply.headers.get('x-task-id')).toMatch(/^[0-9a-f-]{36}$/)
    const frames = framesIn(reply.text)
    expect(textOf(frames)).toBe('It is noon')
    expect(frames.at(-1)).toBe('[DONE]')
    expect(await chat.message()).toMatchObject({
      content: 'It is noon',
      done: true,
      reasoning_content: 'Hm.',
      model: 'swift',
      usage: { prompt_tokens: 10, completion_tokens: 2 },
    })
  })

  it('reaches a caller who wants it whole, and is stored', async () => {
    const ana = await app.user()
    const chat = await prepareChat(ana)
    provider.script({ text: 'Noon' })
    const reply = await ana.post(path, { model: 'swift', ...chat.body })
    expect(reply).toMatchObject({ status: 200, body: { choices: [{ message: { content: 'Noon' } }] } })
    expect(await chat.message()).toMatchObject({ content: 'Noon', done: true })
  })

  it('is heard in every tab, each word once and in order, and by nobody else', async () => {
    const [ana, bob] = await Promise.all([app.user(), app.user()])
    const tabs = (await Promise.all([sockets.connectAs(ana), sockets.connectAs(ana)])).map(eventsOf)
    const foreign = eventsOf(await sockets.connectAs(bob))
    const chat = await prepareChat(ana)
    const chunks = Array.from({ length: 200 }, (_, index) => `word${index} `)
    provider.script({ chunks })
    await ana.post(path, { model: 'swift', stream: true, ...chat.body }, later)
    for (const events of tabs) {
      await heardEnd(events, chat)
      const frames = framesOf(events, chat)
      expect(frames.map(({ seq }) => seq)).toEqual(frames.map((_, index) => index + 1))
      expect(textOf(frames)).toBe(chunks.join(''))
      expect(frames.at(-1)).toMatchObject({ done: true, usage: { prompt_tokens: 10 } })
    }
    expect(foreign.filter(({ data }) => data.type === 'chat:completion')).toEqual([])
    expect(await chat.message()).toMatchObject({ content: chunks.join(''), done: true })
  })

  it('goes on when the caller’s connection is lost', async () => {
    const ana = await app.user()
    const chat = await prepareChat(ana)
    const held = gate()
    held.open()
    provider.script({ chunks: ['It is', ' noon'], gate: held })
    const leaving = new AbortController()
    const reply = await fetch(app.url + path, {
      method: 'POST',
      signal: leaving.signal,
      headers: { authorization: `Bearer ${ana.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'swift', stream: true, ...chat.body }),
    })
    await reply.body?.getReader().read()
    leaving.abort()
    held.openForGood()
    expect(await chat.done()).toMatchObject({ content: 'It is noon', done: true })
  })

  it('fails before its first word with a status, and leaves the message done, with the error', async () => {
    const ana = await app.user()
    const events = eventsOf(await sockets.connectAs(ana))
    const chat = await prepareChat(ana)
    provider.script({ fail: { status: 500, body: { error: { message: 'inside' } } } })
    const reply = await ana.post(path, { model: 'swift', stream: true, ...chat.body })
    expect(reply).toMatchObject({ status: 502, body: { code: 'provider_failed' } })
    expect(await chat.message()).toMatchObject({ content: '', done: true, error: { code: 'provider_failed' } })
    await heardEnd(events, chat)
    const told = events.filter(({ data }) => data.type === 'chat:message:error')
    expect(told).toMatchObject([{ message_id: chat.messageId, data: { data: { error: { code: 'provider_failed' } } } }])
  })

  it('fails after its first word with an error frame, and keeps what it said', async () => {
    const ana = await app.user()
    const chat = await prepareChat(ana)
    provider.script({ chunks: ['It is', ' noon'], cutsAfter: 1 })
    const reply = await ana.post(path, { model: 'swift', stream: true, ...chat.body })
    const frames = framesIn(reply.text)
    expect(frames.slice(-2)).toMatchObject([{ error: { code: 'provider_failed', type: 'server_error' } }, '[DONE]'])
    expect(await chat.message()).toMatchObject({ content: 'It is', done: true, error: { code: 'provider_failed' } })
  })

  it('can be asked for again once it is done, and starts from nothing', async () => {
    const ana = await app.user()
    const chat = await prepareChat(ana)
    provider.script({ chunks: ['One'], cutsAfter: 1 }, { text: 'Two' })
    await ana.post(path, { model: 'swift', stream: true, ...chat.body })
    await ana.post(path, { model: 'swift', stream: true, ...chat.body })
    const message = await chat.message()
    expect(message).toMatchObject({ content: 'Two', done: true })
    expect(message.error).toBeUndefined()
  })

  it('turns a second one for the same message away', async () => {
    const ana = await app.user()
    const { chat, held } = await startHeld(ana, ['It is', ' noon'])
    const second = await ana.post(path, { model: 'swift', ...chat.body })
    expect(second).toMatchObject({ status: 409, body: { code: 'reply_running' } })
    held.openForGood()
    expect(await chat.done()).toMatchObject({ content: 'It is noon' })
  })

  it('names its message as the caller first wrote the id, however it is asked for', async () => {
    const ana = await app.user()
    const events = eventsOf(await sockets.connectAs(ana))
    const chat = await prepareChat(ana, { newId: () => randomUUID().toUpperCase() })
    const lowId = chat.messageId.toLowerCase()
    const held = gate()
    held.open()
    provider.script({ chunks: ['It is', ' noon'], gate: held })
    const begun = await ana.post(path, { model: 'swift', stream: true, ...chat.body, id: lowId }, later)
    expect(begun.status).toBe(202)
    await saidSomething(ana, { ...chat, messageId: lowId })
    const again = await ana.post(path, { model: 'swift', ...chat.body })
    expect(again).toMatchObject({ status: 409, body: { code: 'reply_running' } })
    const text = { type: 'message', data: { content: ' (CET)' } }
    expect(await ana.post(`/api/v1/chats/${chat.chatId}/messages/${lowId}/event`, text)).toMatchObject({ body: true })
    held.openForGood()
    await heardEnd(events, chat)
    const status = { type: 'status', data: { description: 'Checked', done: true } }
    await ana.post(`/api/v1/chats/${chat.chatId}/messages/${lowId}/event`, status)
    await vi.waitFor(() => expect(events.at(-1)?.data.type).toBe('status'))
    expect(new Set(events.map((event) => event.message_id).filter(Boolean))).toEqual(new Set([chat.messageId]))
    expect(await chat.message()).toMatchObject({ content: 'It is (CET) noon', done: true })
  })

  it('keeps what an outside tool adds to it while it runs, where it was added', async () => {
    const ana = await app.user()
    const { chat, held } = await startHeld(ana, ['It is', ' noon.'])
    await saidSomething(ana, chat)
    const event = { type: 'message', data: { content: ' (by the almanac)' } }
    const ref = `/api/v1/chats/${chat.chatId}/messages/${chat.messageId}`
    expect(await ana.post(`${ref}/event`, event)).toMatchObject({ status: 200 })
    held.openForGood()
    expect(await chat.done()).toMatchObject({ content: 'It is (by the almanac) noon.' })
  })

  it('stores text that no database could hold otherwise', async () => {
    const ana = await app.user()
    const chat = await prepareChat(ana)
    provider.script({ chunks: ['a\0b', '\ud83d', '\ude00', ' \udc00'] })
    await ana.post(path, { model: 'swift', stream: true, ...chat.body })
    expect(await chat.message()).toMatchObject({ content: 'ab😀 \ufffd', done: true })
  })
})

describe('stopping', () => {
  it('keeps what there is, ends the call at the provider, and frees the message', async () => {
    const ana = await app.user()
    const { chat, taskId, call } = await startHeld(ana, ['It is', ' noon'])
    expect((await ana.get(`/api/tasks/chat/${chat.chatId}`)).body).toEqual({ task_ids: [taskId] })
    await saidSomething(ana, chat)
    const stopped = await ana.post(`/api/tasks/stop/${taskId}`)
    expect(stopped).toMatchObject({ status: 200, body: { status: true } })
    expect(await call.ended).toBe(false)
    const message = await chat.message()
    expect(message).toMatchObject({ content: 'It is', done: true })
    expect(message.error).toBeUndefined()
    expect((await ana.get(`/api/tasks/chat/${chat.chatId}`)).body).toEqual({ task_ids: [] })
    expect(await ana.post(`/api/tasks/stop/${taskId}`)).toMatchObject({ status: 404, body: { code: 'task_not_found' } })
  })

  it('is for the owner and the platform admin alone', async () => {
    const [ana, bob, owner] = await Promise.all([app.user(), app.user(), app.platformOwner()])
    const { chat, taskId } = await startHeld(ana, ['It is', ' noon'])
    expect(await bob.post(`/api/tasks/stop/${taskId}`)).toMatchObject({ status: 404 })
    expect(await bob.post(`/api/tasks/chat/${chat.chatId}/stop`)).toMatchObject({ status: 404 })
    expect(await bob.get(`/api/tasks/chat/${chat.chatId}`)).toMatchObject({ status: 404 })
    expect(await chat.message()).toMatchObject({ done: false })
    expect(await owner.post(`/api/tasks/stop/${taskId}`)).toMatchObject({ status: 200 })
    expect(await chat.message()).toMatchObject({ done: true })
  })

  it('comes by itself when the chat is deleted', async () => {
    const ana = await app.user()
    const { chat, call } = await startHeld(ana, ['It is', ' noon'])
    await ana.delete(`/api/v1/chats/${chat.chatId}`)
    expect(await call.ended).toBe(false)
  })
})

describe('a chat that is not the caller’s', () => {
  it.each([path, '/api/v1/chat/completions', '/api/chat/completed'])('does not exist for %s (A03)', async (door) => {
    const [ana, bob] = await Promise.all([app.user(), app.user()])
    const events = eventsOf(await sockets.connectAs(ana))
    const chat = await prepareChat(ana)
    const before = await chat.message()
    const count = provider.calls().length
    for (const stream of [true, false]) {
      const foreign = await bob.post(door, { model: 'swift', stream, ...chat.body })
      const unknown = await bob.post(door, { model: 'swift', stream, ...chat.body, chat_id: app.unknownId() })
      expect(foreign).toMatchObject({ status: 404, body: { code: 'chat_not_found' } })
      expect({ ...foreign.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' })
    }
    const owner = await app.platformOwner()
    expect(await owner.post(door, { model: 'swift', ...chat.body })).toMatchObject({ status: 404 })
    const odd = await bob.post(door, { model: 'swift', ...chat.body, chat_id: 'local:x' })
    expect(odd).toMatchObject({ status: 404 })
    expect(provider.calls().length).toBe(count)
    expect(await chat.message()).toEqual(before)
    expect(events.filter(({ data }) => data.type === 'chat:completion')).toEqual([])
  })
})

describe('a message that is not in the chat', () => {
  it('gets an answer that is not stored (contract, Message 4)', async () => {
    const ana = await app.user()
    const chat = await prepareChat(ana)
    provider.script({ text: 'Noon' })
    const reply = await ana.post(path, { model: 'swift', ...chat.body, id: app.unknownId() })
    expect(reply).toMatchObject({ status: 200, body: { choices: [{ message: { content: 'Noon' } }] } })
    expect(reply.headers.get('x-task-id')).toBeNull()
    expect(await chat.message()).toMatchObject({ content: '', done: false })
    const async = await ana.post(path, { model: 'swift', ...chat.body, id: app.unknownId() }, later)
    expect(async).toMatchObject({ status: 404, body: { code: 'message_not_found' } })
  })

  it('is never a message of the user', async () => {
    const ana = await app.user()
    const chat = await prepareChat(ana)
    const { parentId } = await chat.message()
    const reply = await ana.post(path, { model: 'swift', ...chat.body, id: parentId })
    expect(reply.status).toBe(422)
    const { body } = await ana.get(`/api/v1/chats/${chat.chatId}`)
    expect(body.chat.history.messages[parentId].content).toBe('What is the time?')
  })
})
