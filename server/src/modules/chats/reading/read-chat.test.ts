import { Chat } from '@chancery/contract/chats/chats.ts'
import { describe, expect, it } from 'vitest'
import { expectErrorBody } from '#test/access/leaks.ts'
import { answered, asked, chatsOf, newChat, turn } from '#test/harness/conversation.ts'
import { sharedApp } from '#test/harness/shared-app.ts'

const app = await sharedApp()
const ana = await app.user()
const { read, merge } = chatsOf(ana)

/** Questions and answers, each below the one before. */
const chain = (count: number) => {
  const messages: ReturnType<typeof asked>[] = []
  for (let index = 0; index < count; index += 1) {
    const parentId = messages.at(-1)?.id ?? null
    messages.push(index % 2 === 0 ? asked(`Question ${index}`, { parentId }) : answered(`Answer ${index}`, parentId))
  }
  return messages
}

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

  it('answers the end of the active branch when asked, and what comes before it, each with its other versions', async () => {
    const messages = chain(6)
    const [first, , third] = messages
    const other = answered('Another', third?.id)
    const { id } = await newChat(ana, [other, ...messages])
    const window = async (query: string) => {
      const { body } = await ana.get(`/api/v1/chats/${id}?branch=active&${query}`)
      expect(Chat.safeParse(body).success).toBe(true)
      return Object.values<{ content: string }>(body.chat.history.messages).map(({ content }) => content)
    }
    expect(await window('last=7')).toHaveLength(7)
    expect(await window('last=2')).toEqual(['Question 4', 'Answer 5'])
    expect(await window('last=3')).toEqual(['Another', 'Answer 3', 'Question 4', 'Answer 5'])
    expect(await window(`last=2&before=${third?.id}`)).toEqual(['Question 0', 'Answer 1'])
    expect(await window(`last=2&before=${first?.id}`)).toEqual([])
    expect(await ana.get(`/api/v1/chats/${id}?branch=active&last=2&before=${app.unknownId()}`)).toMatchObject({
      status: 404,
    })
    expect(await ana.get(`/api/v1/chats/${id}?last=2`)).toMatchObject({ status: 422 })
  })

  it('answers a long chat as it was written, a piece at a time', async () => {
    const long = chain(600)
    const { id } = await newChat(ana, long)
    const { chat } = await read(id)
    expect(chat.messages.map(({ content }: { content: string }) => content)).toEqual(long.map(({ content }) => content))
    expect(Object.keys(chat.history.messages)).toEqual(long.map((message) => message.id))
    expect(chat.messages).toEqual(Object.values(chat.history.messages))
    expect(chat.history.messages[long[0]?.id ?? ''].childrenIds).toEqual([long[1]?.id])
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
      chatsOf(bob).merge(chatId, { title: 'Mine' }),
      chatsOf(bob).mergeMessages(chatId, { [question.id]: { content: 'Mine' } }),
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
