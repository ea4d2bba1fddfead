/** Two writers of one chat: neither silently undoes what the other did. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { answered, asked, newChat, startChatsNode, turn, type Wire } from '#test/harness/conversation.ts'
import { sharedApp } from '#test/harness/shared-app.ts'

const app = await sharedApp()
const { chats } = await startChatsNode(app)
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
const merge = (person: Awaited<ReturnType<typeof app.user>>, id: string, chat: Wire) =>
  person.post(`/api/v1/chats/${id}`, { chat })

describe('a finished reply', () => {
  const setUp = async () => {
    const ana = await app.user()
    const [question, answer] = turn('How many?', 'There are forty-two.')
    const { id } = await newChat(ana, [question, answer])
    const send = (fields: Wire) => merge(ana, id, { history: { messages: { [answer.id]: fields } } })
    const text = async () => (await ana.get(`/api/v1/chats/${id}`)).body.chat.history.messages[answer.id].content
    return { send, text }
  }

  it('is not replaced by the fragment of a stale tab', async () => {
    const { send, text } = await setUp()
    expect(await send({ content: 'There are for' })).toMatchObject({ status: 409, body: { code: 'content_changed' } })
    expect(await text()).toBe('There are forty-two.')
  })

  it('is edited by a request that names the content it saw', async () => {
    const { send, text } = await setUp()
    const seen = hashOf('There are forty-two.')
    expect(await send({ content: 'Exactly 42.', if_content_hash: seen })).toMatchObject({ status: 200 })
    expect(await text()).toBe('Exactly 42.')
    expect(await send({ content: 'A late edit.', if_content_hash: seen })).toMatchObject({ status: 409 })
    expect(await text()).toBe('Exactly 42.')
  })

  it('takes the same content again, and other fields, without a hash', async () => {
    const { send, text } = await setUp()
    expect(await send({ content: 'There are forty-two.', rating: 5 })).toMatchObject({ status: 200 })
    expect(await send({ content: '', favorite: true })).toMatchObject({ status: 200 })
    expect(await text()).toBe('There are forty-two.')
  })

  it('leaves the whole merge undone when it is refused', async () => {
    const ana = await app.user()
    const [question, answer] = turn('How many?', 'Two.')
    const { id } = await newChat(ana, [question, answer], { title: 'Before' })
    const sent = { title: 'After', history: { messages: { [answer.id]: { content: 'T' } } } }
    expect(await merge(ana, id, sent)).toMatchObject({ status: 409 })
    expect((await ana.get(`/api/v1/chats/${id}`)).body.title).toBe('Before')
  })
})

describe('what a person chose', () => {
  it('is kept when a generated title or tags come later', async () => {
    const ana = await app.user()
    const { id } = await newChat(ana, turn('Hi', 'Hello'), { title: 'New Chat' })
    await merge(ana, id, { title: 'My own name' })
    await ana.post(`/api/v1/chats/${id}/tags`, { tags: ['mine'] })
    expect([await chats.setTitle(id, 'Generated'), await chats.setTags(id, ['robot'])]).toEqual([false, false])
    expect((await ana.get(`/api/v1/chats/${id}`)).body).toMatchObject({
      title: 'My own name',
      meta: { tags: ['mine'] },
    })
  })

  it('also replaces what was generated before', async () => {
    const ana = await app.user()
    const { id } = await newChat(ana, turn('Hi', 'Hello'), { title: 'New Chat' })
    expect([await chats.setTitle(id, 'Generated'), await chats.setTags(id, ['robot'])]).toEqual([true, true])
    expect(await chats.setTitle(id, 'Generated again')).toBe(true)
    await merge(ana, id, { title: 'Mine', tags: ['own'] })
    expect([await chats.setTitle(id, 'No'), await chats.setTags(id, ['no'])]).toEqual([false, false])
    expect((await ana.get(`/api/v1/chats/${id}`)).body).toMatchObject({ title: 'Mine', meta: { tags: ['own'] } })
  })

  it('of parameters stays beside those that another tab sets', async () => {
    const ana = await app.user()
    const { id } = await newChat(ana, [], { params: { temperature: 0.2, system: 'Be brief.' } })
    await merge(ana, id, { params: { top_p: 0.9 } })
    const { body } = await merge(ana, id, { params: { temperature: null } })
    expect(body.chat.params).toEqual({ top_p: 0.9, system: 'Be brief.' })
  })
})

describe('a deleted message', () => {
  const setUp = async () => {
    const ana = await app.user()
    const [question, answer] = turn('One', 'Two')
    const [more, last] = turn('Three', 'Four', answer.id)
    const { id } = await newChat(ana, [question, answer, more, last])
    const remove = (messageId: string) => ana.delete(`/api/v1/chats/${id}/messages/${messageId}`)
    const history = async () => (await ana.get(`/api/v1/chats/${id}`)).body.chat.history
    return { ana, id, question, answer, more, last, remove, history }
  }

  it('hands its children to its parent, and the thread goes on', async () => {
    const { question, answer, more, last, remove, history } = await setUp()
    expect(await remove(answer.id)).toMatchObject({ status: 204 })
    const { messages, currentId } = await history()
    expect(currentId).toBe(last.id)
    expect(messages[answer.id]).toBeUndefined()
    expect(messages[more.id].parentId).toBe(question.id)
    expect(messages[question.id].childrenIds).toEqual([more.id])
    expect(await remove(answer.id)).toMatchObject({ status: 404, body: { code: 'message_not_found' } })
  })

  it('that is shown gives way to its parent, and a first one to its child', async () => {
    const { question, answer, more, last, remove, history } = await setUp()
    await remove(last.id)
    expect((await history()).currentId).toBe(more.id)
    await remove(question.id)
    const { messages } = await history()
    expect(messages[answer.id].parentId).toBeNull()
    for (const { id } of [more, answer]) await remove(id)
    expect(await history()).toEqual({ currentId: null, messages: {} })
  })

  it('no longer counts in the size of its chat', async () => {
    const { ana, id, question, answer, more, last, remove } = await setUp()
    for (const message of [answer, more, last, question]) await remove(message.id)
    const row = await app.db.selectFrom('chats').select(['byteSize', 'messageCount']).where('id', '=', id).execute()
    expect(row).toEqual([{ byteSize: 0, messageCount: 0 }])
    const next = asked('Again')
    expect(await merge(ana, id, { history: { messages: { [next.id]: next } } })).toMatchObject({ status: 200 })
  })

  it('cannot be one that a reply is being written into', async () => {
    const ana = await app.user()
    const question = asked('Hm?')
    const answer = answered('', question.id)
    const { id } = await newChat(ana, [question, answer])
    const ref = { chatId: id, messageId: answer.id as string }
    await app.db.transaction().execute((tx) => chats.beginReply(tx, ref, app.unknownId()))
    expect(await ana.delete(`/api/v1/chats/${id}/messages/${answer.id}`)).toMatchObject({
      status: 409,
      body: { code: 'reply_running' },
    })
  })
})
