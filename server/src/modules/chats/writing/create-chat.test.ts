import { Chat } from '@chancery/contract/chats/chats.ts'
import { describe, expect, it } from 'vitest'
import { asked, chatOf, chatsOf, newChat, turn, type Wire } from '#test/harness/conversation.ts'
import { sharedApp } from '#test/harness/shared-app.ts'

const app = await sharedApp()
const ana = await app.user()
const { read, mergeMessages } = chatsOf(ana)

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
