/** Events that other tabs get of a write. */
import { ChatChanged, socketEvent } from '@chancery/contract/chats/events.ts'
import { expect, it, vi } from 'vitest'
import { asked, newChat, turn, type Wire } from '#test/harness/conversation.ts'
import type { Person } from '#test/harness/people.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { createSockets } from '#test/harness/sockets.ts'

const app = await sharedApp()
const sockets = createSockets(app.url)

const listening = async (person: Person): Promise<Wire[]> => {
  const heard: Wire[] = []
  const socket = await sockets.connectAs(person)
  socket.on(socketEvent, (event) => heard.push(event))
  return heard
}
/** The next event, once it is there; each is taken once. */
const next = (heard: Wire[]): Promise<Wire> =>
  vi.waitFor(
    () => {
      const event = heard.shift()
      if (!event) throw new Error('nothing heard')
      return event
    },
    { timeout: 5000 },
  )

it('a message written in one tab appears in the other, and nowhere else', async () => {
  const [ana, bob] = await Promise.all([app.user(), app.user()])
  const [first, answer] = turn('Hi', 'Hello')
  const { id } = await newChat(ana, [first, answer])
  const [heard, foreign] = await Promise.all([listening(ana), listening(bob)])
  const question = asked('And now?', { parentId: answer.id })
  await ana.post(`/api/v1/chats/${id}`, {
    chat: { history: { currentId: question.id, messages: { [question.id]: question } } },
  })
  const event = await next(heard)
  expect(event).toMatchObject({ chat_id: id, message_id: null, data: { type: 'chat:changed' } })
  expect(ChatChanged.parse(event.data.data)).toMatchObject({
    current_id: question.id,
    messages: {
      [question.id]: { content: 'And now?', parentId: answer.id },
      [answer.id]: { content: 'Hello', childrenIds: [question.id] },
    },
  })
  expect(event.data.data.message_ids.sort()).toEqual([answer.id, question.id].sort())
  expect(foreign).toEqual([])
})

it('a large change names its messages only', async () => {
  const ana = await app.user()
  const { id } = await newChat(ana, [])
  const heard = await listening(ana)
  const long = asked('x'.repeat(100_000))
  await ana.post(`/api/v1/chats/${id}`, { chat: { history: { messages: { [long.id]: long } } } })
  const { data } = await next(heard)
  expect(data.data).toMatchObject({ message_ids: [long.id] })
  expect(data.data).not.toHaveProperty('messages')
})

it('every other write is heard too: new, renamed, pinned, tagged, shared, filed, deleted', async () => {
  const ana = await app.user()
  const heard = await listening(ana)
  const { id } = await newChat(ana, [], { title: 'Plan' })
  expect(await next(heard)).toMatchObject({ chat_id: id, data: { type: 'chat:changed', data: { title: 'Plan' } } })
  const writes: [string, unknown?][] = [
    ['', { chat: { title: 'Renamed' } }],
    ['/pin'],
    ['/archive'],
    ['/tags', { tags: ['x'] }],
    ['/share'],
    ['/folder', { folder_id: null }],
  ]
  for (const [path, body] of writes) {
    expect((await ana.post(`/api/v1/chats/${id}${path}`, body)).status, path).toBe(200)
    expect(await next(heard), path).toMatchObject({
      chat_id: id,
      data: { type: 'chat:changed', data: { title: 'Renamed' } },
    })
  }
  await ana.post('/api/v1/folders', { name: 'Work' })
  expect(await next(heard)).toMatchObject({ chat_id: null, data: { type: 'folders:changed' } })
  await ana.delete(`/api/v1/chats/${id}`)
  expect(await next(heard)).toMatchObject({ chat_id: id, data: { type: 'chat:changed', data: { deleted: true } } })
})
