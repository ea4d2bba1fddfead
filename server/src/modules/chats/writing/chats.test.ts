import { randomUUID } from 'node:crypto'
import { Chat } from '@chancery/contract/chats/chats.ts'
import { describe, expect, it } from 'vitest'
import { expectErrorBody } from '#test/access/leaks.ts'
import type { Client } from '#test/harness/client.ts'
import { answered, asked, chatOf, historyOf, newChat, turn, type Wire } from '#test/harness/conversation.ts'
import { sharedApp } from '#test/harness/shared-app.ts'

const app = await sharedApp()
const ana = await app.user()

const read = async (id: string, person: Client = ana): Promise<Wire> => (await person.get(`/api/v1/chats/${id}`)).body
const messagesOf = async (id: string): Promise<Record<string, Wire>> => (await read(id)).chat.history.messages
const merge = (id: string, chat: Wire, person: Client = ana) => person.post(`/api/v1/chats/${id}`, { chat })
const mergeMessages = (id: string, messages: Record<string, Wire>, more: Wire = {}) =>
  merge(id, { history: { messages, ...more } })

describe('a new chat', () => {
  it('is answered with its id, and read back the same', async () => {
    const [question, answer] = turn('What is two and two?', '')
    const made = await newChat(ana, [question, answer], { params: { temperature: 0.2 }, tags: ['sums'], timestamp: 17 })
    expect(made).toMatchObject({
      user_id: ana.id,
      title: 'A chat',
      archived: false,
      pinned: false,
      folder_id: null,
      share_id: null,
      meta: { tags: ['sums'] },
      chat: { models: ['guide'], params: { temperature: 0.2 }, timestamp: 17, currentId: answer.id, files: [] },
    })
    expect(made.chat.history.messages).toEqual({
      [question.id]: { ...question, parentId: null },
      [answer.id]: answer,
    })
    expect(made.chat.messages.map(({ id }: Wire) => id)).toEqual([question.id, answer.id])
    expect(await read(made.id)).toEqual(made)
    expect(Chat.safeParse(made).success).toBe(true)
  })

  it('keeps fields that nobody here knows, of the chat and of its messages', async () => {
    const question = asked('Hello', { annotation: { rating: 1, tags: ['x'] }, odd: [null, 1.5, 'two'] })
    const { id } = await newChat(ana, [question], { theme: { colour: 'green' } })
    const { chat } = await read(id)
    expect(chat.theme).toEqual({ colour: 'green' })
    expect(chat.history.messages[question.id]).toMatchObject({
      annotation: { rating: 1, tags: ['x'] },
      odd: [null, 1.5, 'two'],
    })
  })

  it.each(['title', 'models', 'messages', 'history'])('needs %s', async (field) => {
    const { [field]: _, ...chat } = chatOf([])
    const reply = await ana.post('/api/v1/chats/new', { chat })
    expect(reply.status).toBe(422)
    expect(reply.body.detail[0].loc).toEqual(['body', 'chat', field])
  })

  it('takes a flat list where no history comes with it: each message follows the one before', async () => {
    const [first, second] = [asked('One'), asked('Two')]
    const { id } = await newChat(ana, [], { messages: [first, second] })
    expect((await read(id)).chat).toMatchObject({
      currentId: second.id,
      messages: [{ id: first.id }, { id: second.id }],
    })
  })

  it('answers message ids as they were first sent, and finds the message by another spelling of its id', async () => {
    const inCapitals = (messages: [Wire, Wire]): [Wire, Wire] =>
      JSON.parse(JSON.stringify(messages).replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, (id) => id.toUpperCase()))
    const [question, answer] = inCapitals(turn('Shouting', 'Loud.'))
    const made = await newChat(ana, [question, answer])
    const asWritten = { [question.id]: { ...question, parentId: null }, [answer.id]: answer }
    expect(made.chat.history).toEqual({ currentId: answer.id, messages: asWritten })

    const low = (id: string) => id.toLowerCase()
    const [second, last] = inCapitals(turn('Again', 'Louder.', answer.id))
    const renamed = { ...second, parentId: low(answer.id) }
    await mergeMessages(
      made.id,
      { [low(question.id)]: { id: question.id, content: 'Whispering' }, [second.id]: renamed, [last.id]: last },
      { currentId: low(last.id) },
    )
    const { chat } = await read(made.id)
    expect(chat.currentId).toBe(last.id)
    expect(chat.messages.map(({ id }: Wire) => id)).toEqual([question.id, answer.id, second.id, last.id])
    expect(chat.history.messages).toMatchObject({
      [question.id]: { content: 'Whispering', childrenIds: [answer.id] },
      [answer.id]: { childrenIds: [second.id] },
      [second.id]: { parentId: answer.id, childrenIds: [last.id] },
    })

    expect((await ana.delete(`/api/v1/chats/${made.id}/messages/${low(answer.id)}`)).status).toBe(204)
    const copy = await ana.post(`/api/v1/chats/${made.id}/clone`, { message_id: low(second.id) })
    expect(copy.body.chat.messages).toMatchObject([{ id: question.id }, { id: second.id, parentId: question.id }])
    expect(copy.body.chat).toMatchObject({ currentId: second.id, branchPointMessageId: second.id })
  })

  it('refuses two messages whose ids differ only by capitals', async () => {
    const question = asked('Which of us?')
    const other = { ...question, id: question.id.toUpperCase() }
    const reply = await ana.post('/api/v1/chats/new', { chat: chatOf([question, other]) })
    expect(reply).toMatchObject({ status: 422, body: { code: 'history_invalid' } })
  })

  it('refuses milliseconds where messages have seconds', async () => {
    const reply = await ana.post('/api/v1/chats/new', { chat: chatOf([asked('Now', { timestamp: Date.now() })]) })
    expect(reply.status).toBe(422)
  })
})

describe('a merge', () => {
  it('adds a turn as the contract describes it, and keeps everything else', async () => {
    const first = turn('What is two and two?', 'Four.')
    const { id } = await newChat(ana, first)
    const [question, answer] = turn('And three?', '', first[1].id)
    const reply = await mergeMessages(
      id,
      { [first[1].id]: { childrenIds: [question.id] }, [question.id]: question, [answer.id]: answer },
      { currentId: answer.id },
    )
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual(await read(id))
    const { chat } = reply.body
    expect(chat.history.messages[first[1].id]).toMatchObject({ content: 'Four.', childrenIds: [question.id] })
    expect(chat.messages.map(({ content }: Wire) => content)).toEqual([
      'What is two and two?',
      'Four.',
      'And three?',
      '',
    ])
  })

  it('lists every child, in the order in which they came, whichever message names them', async () => {
    const question = asked('Which?')
    const replies = ['one', 'two', 'three'].map((text) => answered(text, question.id))
    const { id } = await newChat(ana, [question])
    for (const reply of replies) await mergeMessages(id, { [reply.id]: reply })
    expect((await messagesOf(id))[question.id]?.childrenIds).toEqual(replies.map((reply) => reply.id))
  })

  it('merges a message field by field, objects inside it too', async () => {
    const question = asked('Hello', { usage: { in: 1, deep: { kept: true } }, models: ['a', 'b'] })
    const { id } = await newChat(ana, [question])
    await mergeMessages(id, { [question.id]: { usage: { out: 2, deep: { more: 1 } }, models: ['c'], note: null } })
    expect((await messagesOf(id))[question.id]).toMatchObject({
      content: 'Hello',
      models: ['c'],
      note: null,
      usage: { in: 1, out: 2, deep: { kept: true, more: 1 } },
    })
  })

  it('sets the fields that are sent, and no others', async () => {
    const { id } = await newChat(ana, turn('Hi', 'Hello'), {
      params: { temperature: 1 },
      tags: ['old'],
      theme: 'green',
    })
    await merge(id, { title: 'Renamed', tags: [{ name: 'new' }, 'New', ' '] })
    expect((await read(id)).chat).toMatchObject({
      title: 'Renamed',
      params: { temperature: 1 },
      theme: 'green',
      tags: ['new'],
    })
    await merge(id, { params: {} })
    expect((await read(id)).chat).toMatchObject({ title: 'Renamed', params: {} })
  })

  it('that says what is there already changes nothing, not even the time', async () => {
    const messages = turn('Hi', 'Hello')
    const { id } = await newChat(ana, messages, { theme: 'green' })
    const before = await ana.get(`/api/v1/chats/${id}`)
    app.clock.forward({ minutes: 1 })
    const reply = await merge(id, chatOf(messages, { theme: 'green' }))
    expect(reply.body).toEqual(before.body)
    expect((await ana.get(`/api/v1/chats/${id}`)).headers.get('etag')).toBe(before.headers.get('etag'))
  })

  it('moves a message to another parent, but not beneath itself', async () => {
    const first = turn('One', 'First')
    const second = turn('Two', 'Second', first[1].id)
    const { id } = await newChat(ana, [...first, ...second])
    const circle = await mergeMessages(id, { [first[0].id]: { parentId: second[1].id } })
    expect(circle).toMatchObject({ status: 422, body: { code: 'history_invalid' } })
    await mergeMessages(id, { [second[1].id]: { parentId: first[0].id } })
    expect((await messagesOf(id))[first[0].id]?.childrenIds).toEqual([first[1].id, second[1].id])
  })

  it('refuses a current id that the chat does not have, and changes nothing', async () => {
    const { id } = await newChat(ana, turn('Hi', 'Hello'))
    const before = await read(id)
    const reply = await merge(id, { title: 'Changed', history: { currentId: randomUUID() } })
    expect(reply).toMatchObject({ status: 422, body: { code: 'history_invalid' } })
    expect(await read(id)).toEqual(before)
  })

  it('switches the branch by the current id alone', async () => {
    const question = asked('Which?')
    const [left, right] = [answered('Left', question.id), answered('Right', question.id)]
    const { id } = await newChat(ana, [question, left, right])
    await merge(id, { history: { currentId: left.id } })
    expect((await read(id)).chat.messages.map(({ content }: Wire) => content)).toEqual(['Which?', 'Left'])
  })

  it('answers only what it touched once a chat has more than a hundred messages', async () => {
    const many = Array.from({ length: 101 }, (_, index) => asked(`Message ${index}`))
    const { id } = await newChat(ana, many)
    const added = asked('One more', { parentId: many[0]?.id })
    const { body } = await mergeMessages(id, { [added.id]: added })
    expect(Object.keys(body.chat.history.messages).sort()).toEqual([many[0]?.id, added.id].sort())
    expect(body.chat.history.messages[many[0]?.id].childrenIds).toEqual([added.id])
    expect(Object.keys(await messagesOf(id))).toHaveLength(102)
  })
})

describe('A38: merges of many at once', () => {
  it('lose nothing: every message of every writer is there', async () => {
    const root = asked('Root')
    const { id } = await newChat(ana, [root])
    const added = Array.from({ length: 30 }, (_, index) => asked(`Writer ${index}`, { parentId: root.id }))
    const replies = await Promise.all(
      added.map((message) => mergeMessages(id, { [message.id]: message, [root.id]: { [`by-${message.id}`]: true } })),
    )
    expect(replies.map(({ status }) => status)).toEqual(added.map(() => 200))
    const messages = await messagesOf(id)
    expect(Object.keys(messages)).toHaveLength(31)
    expect([...(messages[root.id]?.childrenIds ?? [])].sort()).toEqual(added.map((message) => message.id).sort())
    for (const message of added) expect(messages[root.id]).toHaveProperty(`by-${message.id}`, true)
  })

  it('keep count of messages and bytes', async () => {
    const { id } = await newChat(ana, turn('Hi', 'Hello'))
    const added = Array.from({ length: 10 }, (_, index) => asked('x'.repeat(100 * index)))
    await Promise.all(added.map((message) => mergeMessages(id, { [message.id]: message })))
    await mergeMessages(id, { [added[9]?.id]: { content: 'short now' } })
    const counted = await app.db
      .selectFrom('chatMessages')
      .select((select) => [
        select.fn.countAll<number>().as('messageCount'),
        select.fn.sum<number>('size').as('byteSize'),
      ])
      .where('chatId', '=', id)
      .executeTakeFirst()
    const kept = await app.db
      .selectFrom('chats')
      .select(['messageCount', 'byteSize'])
      .where('id', '=', id)
      .executeTakeFirst()
    expect(kept).toEqual({ messageCount: 12, byteSize: Number(counted?.byteSize) })
    expect(counted?.messageCount).toBe(12)
  })

  it('stop at ten thousand messages', async () => {
    const many = Array.from({ length: 9_999 }, () => ({ id: randomUUID(), role: 'user', content: 'x' }))
    const { id } = await newChat(ana, [], { history: historyOf(many) })
    const [last, tooMany] = [asked('The last'), asked('One too many')]
    expect(await mergeMessages(id, { [last.id]: last })).toMatchObject({ status: 200 })
    expect(await mergeMessages(id, { [tooMany.id]: tooMany })).toMatchObject({
      status: 413,
      body: { code: 'chat_too_large' },
    })
    expect(await mergeMessages(id, { [last.id]: { content: 'Still to be edited' } })).toMatchObject({ status: 200 })
  }, 30_000)

  it('stop at eight megabytes, and go on once there is room again', async () => {
    const [first, second] = [asked('x'.repeat(7_999_000)), asked('x'.repeat(5000))]
    const { id } = await newChat(ana, [], { history: historyOf([first]) })
    expect(await mergeMessages(id, { [second.id]: second })).toMatchObject({
      status: 413,
      body: { code: 'chat_too_large' },
    })
    expect(await mergeMessages(id, { [first.id]: { content: 'short' } })).toMatchObject({ status: 200 })
    expect(await mergeMessages(id, { [second.id]: second })).toMatchObject({ status: 200 })
  }, 30_000)
})

describe('reading', () => {
  it('answers 304 while nothing has changed, and the chat again once it has', async () => {
    const { id } = await newChat(ana, turn('Hi', 'Hello'))
    const first = await ana.get(`/api/v1/chats/${id}`)
    const etag = first.headers.get('etag') ?? ''
    const again = await ana.get(`/api/v1/chats/${id}`, { 'if-none-match': etag })
    expect(again).toMatchObject({ status: 304, text: '' })
    await ana.post(`/api/v1/chats/${id}/pin`)
    expect(await ana.get(`/api/v1/chats/${id}`, { 'if-none-match': `"x", ${etag}` })).toMatchObject({
      status: 200,
      body: { pinned: true },
    })
  })

  it('answers the active branch alone when asked, with the names of the others', async () => {
    const question = asked('Which?')
    const [left, right] = [answered('Left', question.id), answered('Right', question.id)]
    const { id } = await newChat(ana, [question, left, right])
    const { body } = await ana.get(`/api/v1/chats/${id}?branch=active`)
    expect(Object.keys(body.chat.history.messages).sort()).toEqual([question.id, right.id].sort())
    expect(body.chat.messages[0].childrenIds).toEqual([left.id, right.id])
    expect(Chat.safeParse(body).success).toBe(true)
  })

  it('says the same after every way of writing: create, merge and read', async () => {
    const made = await newChat(ana, [asked('"quotes" \\ and \u2028 lines', { body: {}, '': 0 }), asked('')])
    expect(await read(made.id)).toEqual(made)
    expect((await merge(made.id, {})).body.chat).toEqual(made.chat)
  })
})

describe('A02: a foreign chat', () => {
  it('is as unknown as one that never was, by every method, and stays as it is', async () => {
    const bob = await app.user()
    const [question, answer] = turn('A secret', 'Told')
    const { id } = await newChat(ana, [question, answer])
    const before = await read(id)
    const ask = (chatId: string) => [
      bob.get(`/api/v1/chats/${chatId}`),
      bob.get(`/api/v1/chats/${chatId}?branch=active`),
      bob.get(`/api/v1/chats/${chatId}`, { 'if-none-match': 'W/"1"' }),
      merge(chatId, { title: 'Mine' }, bob),
      merge(chatId, { history: { messages: { [question.id]: { content: 'Mine' } } } }, bob),
      bob.post(`/api/v1/chats/${chatId}/messages/${answer.id}/event`, { type: 'message', data: { content: '!' } }),
      bob.delete(`/api/v1/chats/${chatId}`),
      bob.post(`/api/v1/chats/${chatId}/share`),
      bob.post(`/api/v1/chats/${chatId}/clone`),
    ]
    const [foreign, unknown, odd] = await Promise.all(
      [id, app.unknownId(), 'no-uuid'].map((each) => Promise.all(ask(each))),
    )
    for (const [index, reply] of (foreign ?? []).entries()) {
      expect(reply.status).toBe(404)
      expectErrorBody(reply.text, 'chat_not_found')
      for (const other of [unknown?.[index], odd?.[index]])
        expect({ ...other?.body, request_id: '' }).toEqual({ ...reply.body, request_id: '' })
    }
    expect(await read(id)).toEqual(before)
  })

  it('is nothing to a platform admin either, whose account has no chats', async () => {
    const owner = await app.platformOwner()
    const { id } = await newChat(ana, turn('A secret', 'Told'))
    expect(await owner.get(`/api/v1/chats/${id}`)).toMatchObject({ status: 401 })
    expect(await owner.get('/api/v1/chats/')).toMatchObject({ status: 401 })
  })
})

describe('A37: keys that would change every object', () => {
  const poisoned = ['constructor', 'prototype']
  it.each(poisoned)('%s is refused in params, in messages and at any depth, and nothing is stored', async (key) => {
    const { id } = await newChat(ana, [asked('Hi')])
    const before = await read(id)
    const bad = JSON.parse(`{"deep":[{"${key}":{"polluted":true}}]}`)
    const message = asked('x', bad)
    for (const chat of [{ params: bad }, { theme: bad }, { files: [bad] }, { history: historyOf([message]) }]) {
      expect(await merge(id, chat)).toMatchObject({ status: 400, body: { code: 'unsafe_key' } })
      expect(await ana.post('/api/v1/chats/new', { chat: chatOf([], chat) })).toMatchObject({ status: 400 })
    }
    expect(await read(id)).toEqual(before)
    expect(({} as Wire).polluted).toBeUndefined()
  })

  it('__proto__ is no id of a message, nor are other words', async () => {
    const { id } = await newChat(ana, [asked('Hi')])
    const send = (json: string) =>
      ana.send('POST', `/api/v1/chats/${id}`, { body: json, headers: { 'content-type': 'application/json' } })
    expect(await send('{"chat":{"history":{"messages":{"__proto__":{"role":"user"}}}}}')).toMatchObject({ status: 400 })
    for (const key of ['constructor', 'toString', 'x', ''])
      expect(await send(`{"chat":{"history":{"messages":{"${key}":{"role":"user"}}}}}`)).toMatchObject({ status: 422 })
    expect(Object.keys(await messagesOf(id))).toHaveLength(1)
  })
})

describe('A40: odd values', () => {
  it.each([
    ['quotes and wildcards', `'; drop table chats; -- % _ $1 \\ "`],
    ['other alphabets and joined emoji', '日本語 👩‍🚀 ﷽ e\u0301'],
    ['control characters', '\u0001\t\r\n\u007f'],
    ['words that look like markup', '</script><img src=x onerror=alert(1)>'],
  ])('%s come back as they went in', async (_name, text) => {
    const question = asked(text, { note: { [text]: text } })
    const { id } = await newChat(ana, [question], { title: text.slice(0, 500), params: { stop: text } })
    expect(await read(id)).toMatchObject({ title: text, chat: { params: { stop: text } } })
    expect((await messagesOf(id))[question.id]).toMatchObject({ content: text, note: { [text]: text } })
    expect(await ana.get(`/api/v1/chats/search?text=${encodeURIComponent(text)}`)).toMatchObject({ status: 200 })
  })

  it('numbers at the edge come back as they went in', async () => {
    const numbers = [1e308, -1e308, 5e-324, 0.1, Number.MAX_SAFE_INTEGER]
    const question = asked('Numbers', { numbers })
    const { id } = await newChat(ana, [question])
    expect((await messagesOf(id))[question.id]?.numbers).toEqual(numbers)
  })

  it('what is nested too deeply is refused', async () => {
    const { id } = await newChat(ana, [asked('Hi')])
    const deep = JSON.parse(`${'['.repeat(150)}${']'.repeat(150)}`)
    expect(await merge(id, { params: { deep } })).toMatchObject({ status: 400 })
    expect(await mergeMessages(id, { [randomUUID()]: { role: 'user', deep } })).toMatchObject({ status: 400 })
  })
})

it('an organization whose trial has ended reads its chats and changes none', async () => {
  const boss = await app.user({ org: `trial ${app.unknownId()}` })
  const { id } = await newChat(boss, turn('Hi', 'Hello'))
  await app.db
    .updateTable('organizations')
    .set({ plan: 'TRIAL', trialEndsAt: new Date(0) })
    .where('id', '=', boss.organizationId ?? '')
    .execute()
  expect(await read(id, boss)).toMatchObject({ id })
  expect(await merge(id, { title: 'x' }, boss)).toMatchObject({ status: 403, body: { code: 'trial_expired' } })
  expect(await boss.post('/api/v1/chats/new', { chat: chatOf([]) })).toMatchObject({ status: 403 })
})
