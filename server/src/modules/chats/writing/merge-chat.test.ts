import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { answered, asked, chatOf, chatsOf, historyOf, newChat, turn, type Wire } from '#test/harness/conversation.ts'
import { sharedApp } from '#test/harness/shared-app.ts'

const app = await sharedApp()
const ana = await app.user()
const { read, messagesOf, merge, mergeMessages } = chatsOf(ana)

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

it('an organization whose trial has ended reads its chats and changes none', async () => {
  const boss = await app.user({ org: `trial ${app.unknownId()}` })
  const { id } = await newChat(boss, turn('Hi', 'Hello'))
  await app.db
    .updateTable('organizations')
    .set({ plan: 'TRIAL', trialEndsAt: new Date(0) })
    .where('id', '=', boss.organizationId ?? '')
    .execute()
  expect(await chatsOf(boss).read(id)).toMatchObject({ id })
  expect(await chatsOf(boss).merge(id, { title: 'x' })).toMatchObject({ status: 403, body: { code: 'trial_expired' } })
  expect(await boss.post('/api/v1/chats/new', { chat: chatOf([]) })).toMatchObject({ status: 403 })
})
