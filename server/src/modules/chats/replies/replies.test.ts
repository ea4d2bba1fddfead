import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { newChat, startChatsNode, turn, type Wire } from '#test/harness/conversation.ts'
import type { Person } from '#test/harness/people.ts'
import { sharedApp } from '#test/harness/shared-app.ts'

const app = await sharedApp()
const { chats, db } = await startChatsNode(app)
const ana = await app.user()

const waiting = async (person: Person = ana) => {
  const [question, answer] = turn('What is two and two?', '')
  const { id: chatId } = await newChat(person, [question, answer])
  const ref = { chatId, messageId: answer.id as string }
  const message = async (): Promise<Wire> =>
    (await person.get(`/api/v1/chats/${chatId}`)).body.chat.history.messages[ref.messageId]
  return { ref, message, questionId: question.id as string }
}
const begin = async (ref: { chatId: string; messageId: string }, taskId: string) =>
  (await db.transaction().execute((tx) => chats.beginReply(tx, ref, taskId))) &&
  chats.startReply(ref, { taskId, model: 'swift', modelName: 'Swift' })
const end = (ref: { chatId: string; messageId: string }, taskId: string, patch: Parameters<typeof chats.endReply>[3]) =>
  db.transaction().execute((tx) => chats.endReply(tx, ref, taskId, patch))
const sizes = async (chatId: string) => {
  const chat = await db.selectFrom('chats').select(['byteSize']).where('id', '=', chatId).executeTakeFirstOrThrow()
  const rows = await db.selectFrom('chatMessages').select('size').where('chatId', '=', chatId).execute()
  return { kept: chat.byteSize, counted: rows.reduce((sum, { size }) => sum + size, 0) }
}

it('a reply is written piece by piece and ends done, with what came beside it', async () => {
  const { ref, message } = await waiting()
  const taskId = randomUUID()
  expect(await begin(ref, taskId)).toBe(true)
  await chats.saveReply(ref, taskId, { content: 'Fo' })
  expect(await message()).toMatchObject({ content: 'Fo', done: false, model: 'swift', modelName: 'Swift' })
  expect(await end(ref, taskId, { content: 'Four.', usage: { total_tokens: 3 }, fields: { reasoning: 'sum' } })).toBe(
    true,
  )
  expect(await message()).toMatchObject({ content: 'Four.', done: true, usage: { total_tokens: 3 }, reasoning: 'sum' })
  const { kept, counted } = await sizes(ref.chatId)
  expect(kept).toBe(counted)
})

it('a message has one reply at a time, and only that one writes', async () => {
  const { ref, message } = await waiting()
  const [first, second] = [randomUUID(), randomUUID()]
  const begun = await Promise.all([begin(ref, first), begin(ref, second)])
  expect([...begun].sort()).toEqual([false, true])
  const [winner, loser] = begun[0] ? [first, second] : [second, first]
  await chats.saveReply(ref, loser, { content: 'stolen' })
  expect(await end(ref, loser, { content: 'stolen' })).toBe(false)
  expect(await message()).toMatchObject({ content: '', done: false })
  expect(await end(ref, winner, { content: 'Four.' })).toBe(true)
  expect(await end(ref, winner, { content: 'again' })).toBe(false)
  await chats.saveReply(ref, winner, { content: 'late' })
  expect(await message()).toMatchObject({ content: 'Four.', done: true })
})

it('a merge leaves a running reply alone and still changes what lies beside it', async () => {
  const { ref, message } = await waiting()
  const taskId = randomUUID()
  await begin(ref, taskId)
  await chats.saveReply(ref, taskId, { content: 'Fo' })
  const messages = { [ref.messageId]: { content: 'from a tab', done: true, annotation: { rating: 1 } } }
  await ana.post(`/api/v1/chats/${ref.chatId}`, { chat: { history: { messages } } })
  expect(await message()).toMatchObject({ content: 'Fo', done: false, annotation: { rating: 1 } })
  await end(ref, taskId, { content: 'Four.' })
  expect(await message()).toMatchObject({ content: 'Four.', done: true, annotation: { rating: 1 } })
  const { kept, counted } = await sizes(ref.chatId)
  expect(kept).toBe(counted)
})

it('merges and pieces of a reply at the same moment lose nothing of each other', async () => {
  const { ref, message } = await waiting()
  const taskId = randomUUID()
  await begin(ref, taskId)
  const notes = Array.from({ length: 20 }, (_, index) => `note${index}`)
  await Promise.all(
    notes.flatMap((note, index) => [
      ana.post(`/api/v1/chats/${ref.chatId}`, {
        chat: { history: { messages: { [ref.messageId]: { [note]: true } } } },
      }),
      chats.saveReply(ref, taskId, { content: 'x'.repeat(index), fields: { [`piece${index}`]: true } }),
    ]),
  )
  const stored = await message()
  for (const [index, note] of notes.entries()) expect(stored).toMatchObject({ [note]: true, [`piece${index}`]: true })
})

it('a second attempt starts empty', async () => {
  const { ref, message } = await waiting()
  const [first, second] = [randomUUID(), randomUUID()]
  await begin(ref, first)
  await end(ref, first, {
    content: 'Half',
    error: { content: 'cut off' },
    sources: [{ source: { name: 'x' } }],
    fields: { stopped: true },
  })
  await begin(ref, second)
  const stored = await message()
  expect(stored).toMatchObject({ content: '', done: false })
  expect(stored).not.toHaveProperty('error')
  expect(stored).not.toHaveProperty('sources')
  expect(stored).not.toHaveProperty('stopped')
})

it('sources of a reply and those that tools post meanwhile are all kept, each once', async () => {
  const { ref, message } = await waiting()
  const taskId = randomUUID()
  await begin(ref, taskId)
  const [own, later, posted] = ['own', 'later', 'posted'].map((name) => ({ source: { name }, document: [name] }))
  const event = { type: 'source', data: posted }
  await chats.saveReply(ref, taskId, { content: 'Fo', sources: [own] })
  await ana.post(`/api/v1/chats/${ref.chatId}/messages/${ref.messageId}/event`, event)
  await chats.saveReply(ref, taskId, { content: 'Fou', sources: [own, later] })
  await end(ref, taskId, { content: 'Four.', sources: [own, later] })
  expect((await message()).sources).toEqual([own, later, posted])
  const { kept, counted } = await sizes(ref.chatId)
  expect(kept).toBe(counted)
})

it('what a model says is stored even where no database and no merge would take it', async () => {
  const { ref, message } = await waiting()
  const taskId = randomUUID()
  await begin(ref, taskId)
  const usage = JSON.parse('{"ok":1,"__proto__":{"x":1},"constructor":{"y":1},"text":"\\u0000\\ud800"}')
  await end(ref, taskId, { content: 'a\0b\ud800', usage })
  expect(await message()).toMatchObject({ content: 'ab\ufffd', usage: { ok: 1, text: '\ufffd' } })
  expect(Object.keys((await message()).usage)).toEqual(['ok', 'text'])
  const again = { chat: { history: { messages: { [ref.messageId]: { note: 1 } } } } }
  expect(await ana.post(`/api/v1/chats/${ref.chatId}`, again)).toMatchObject({ status: 200 })
})

it('no reply goes into a question, nor into a chat that is gone', async () => {
  const { ref, questionId } = await waiting()
  const taskId = randomUUID()
  await expect(begin({ ...ref, messageId: questionId }, taskId)).rejects.toMatchObject({ code: 'history_invalid' })
  await expect(begin({ ...ref, messageId: randomUUID() }, taskId)).rejects.toMatchObject({
    code: 'message_not_found',
  })
  await begin(ref, taskId)
  await ana.delete(`/api/v1/chats/${ref.chatId}`)
  await expect(begin(ref, taskId)).rejects.toMatchObject({ code: 'chat_not_found' })
  await chats.saveReply(ref, taskId, { content: 'into the void' })
  expect(await end(ref, taskId, { content: 'into the void' })).toBe(false)
})

it('a thread is read from the first message to the one named, through its owner only', async () => {
  const first = turn('One', 'First')
  const second = turn('Two', 'Second', first[1].id)
  const { id: chatId } = await newChat(ana, [...second, ...first])
  const actor = { id: ana.id } as Parameters<typeof chats.readThread>[0]
  const thread = await chats.readThread(actor, { chatId, messageId: second[0].id })
  expect(thread.map(({ content }) => content)).toEqual(['One', 'First', 'Two'])
  expect(await chats.requireMessage(actor, { chatId, messageId: first[1].id })).toMatchObject({
    childrenIds: [second[0].id],
  })
  const stranger = { id: app.unknownId() } as typeof actor
  await expect(chats.readThread(stranger, { chatId, messageId: second[0].id })).rejects.toMatchObject({
    code: 'chat_not_found',
  })
  await expect(chats.requireChat(stranger, chatId)).rejects.toMatchObject({ code: 'chat_not_found' })
})

it('titles, tags and fields that the server sets by itself are there', async () => {
  const { ref, message } = await waiting()
  await chats.setTitle(ref.chatId, 'Sums\0')
  await chats.setTags(ref.chatId, ['maths', 'Maths', 'school'])
  await chats.patchMessage(ref, { followUps: ['And three?'] })
  expect(await message()).toMatchObject({ followUps: ['And three?'] })
  expect((await ana.get(`/api/v1/chats/${ref.chatId}`)).body).toMatchObject({
    title: 'Sums',
    meta: { tags: ['maths', 'school'] },
    chat: { title: 'Sums', tags: ['maths', 'school'] },
  })
})
