/** Chats that travel: shared, cloned, exported, imported. */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Chat } from '@chancery/contract/chats/chats.ts'
import { describe, expect, it } from 'vitest'
import { answered, asked, newChat, turn, type Wire } from '#test/harness/conversation.ts'
import { sharedApp } from '#test/harness/shared-app.ts'

const app = await sharedApp()
const contents = ({ chat }: Wire): string[] => chat.messages.map(({ content }: Wire) => content)

describe('a shared chat', () => {
  const company = async () => {
    const org = `org ${app.unknownId()}`
    return { boss: await app.user({ org }), ana: await app.user({ org, name: 'Ana Author' }) }
  }

  it('is for the people of the same organization, as it was when it was shared', async () => {
    const { ana, boss } = await company()
    const { id } = await newChat(ana, turn('Hi', 'Hello'), { title: 'Greetings' })
    const shared = await ana.post(`/api/v1/chats/${id}/share`)
    expect(shared.body.url).toContain(shared.body.share_id)
    const later = asked('A later secret')
    await ana.post(`/api/v1/chats/${id}`, { chat: { title: 'Later', history: { messages: { [later.id]: later } } } })
    const { body } = await boss.get(`/api/v1/chats/share/${shared.body.share_id}`)
    expect(body).toMatchObject({ title: 'Greetings', author: 'Ana Author' })
    expect(contents(body)).toEqual(['Hi', 'Hello'])
    expect(JSON.stringify(body)).not.toContain('A later secret')
    expect(await boss.get(`/api/v1/chats/${id}`)).toMatchObject({ status: 404 })
  })

  it('shows only the thread that was shown, not what was edited away', async () => {
    const { ana, boss } = await company()
    const [secret, answer] = turn('My password is hunter2', 'I would not share that.')
    const edited = asked('How do I share a chat?')
    const reply = answered('With the Share button.', edited.id)
    const { id } = await newChat(ana, [secret, answer, edited, reply])
    const { share_id } = (await ana.post(`/api/v1/chats/${id}/share`)).body
    const { body, text } = await boss.get(`/api/v1/chats/share/${share_id}`)
    expect(contents(body)).toEqual(['How do I share a chat?', 'With the Share button.'])
    expect(text).not.toContain('hunter2')
    expect(text).not.toContain(answer.id)
    const copy = await boss.post(`/api/v1/chats/share/${share_id}/clone`)
    expect(Object.keys(copy.body.chat.history.messages)).toEqual([edited.id, reply.id])
  })

  it('has a link that opens a page of the web app', async () => {
    const { ana } = await company()
    const { id } = await newChat(ana, turn('Hi', 'Hello'))
    const { url, share_id } = (await ana.post(`/api/v1/chats/${id}/share`)).body
    expect(new URL(url).pathname).toBe(`/shared/${share_id}`)
    const routes = await readFile(new URL('../../../../../web/src/app/routes/areas.ts', import.meta.url), 'utf8')
    expect(routes).toContain("path: '/shared/$shareId'")
  })

  it('keeps its address when it is shared again, and shows the new state', async () => {
    const { ana, boss } = await company()
    const { id } = await newChat(ana, turn('Hi', 'Hello'))
    const first = await ana.post(`/api/v1/chats/${id}/share`)
    await ana.post(`/api/v1/chats/${id}`, { chat: { title: 'Renewed' } })
    const second = await ana.post(`/api/v1/chats/${id}/share`)
    expect(second.body.share_id).toBe(first.body.share_id)
    expect((await boss.get(`/api/v1/chats/share/${first.body.share_id}`)).body.title).toBe('Renewed')
    expect((await ana.get(`/api/v1/chats/${id}`)).body.share_id).toBe(first.body.share_id)
  })

  it('is gone once it is shared no more', async () => {
    const { ana, boss } = await company()
    const { id } = await newChat(ana, turn('Hi', 'Hello'))
    const { share_id } = (await ana.post(`/api/v1/chats/${id}/share`)).body
    for (let time = 0; time < 2; time += 1)
      expect(await ana.delete(`/api/v1/chats/${id}/share`)).toMatchObject({ status: 204 })
    for (const person of [ana, boss])
      expect(await person.get(`/api/v1/chats/share/${share_id}`)).toMatchObject({
        status: 404,
        body: { code: 'share_not_found' },
      })
    expect((await ana.get(`/api/v1/chats/${id}`)).body.share_id).toBeNull()
  })

  it('of somebody without an organization is for themselves alone', async () => {
    const [ana, bob] = await Promise.all([app.user(), app.user()])
    const { id } = await newChat(ana, turn('Hi', 'Hello'))
    const { share_id } = (await ana.post(`/api/v1/chats/${id}/share`)).body
    expect(await ana.get(`/api/v1/chats/share/${share_id}`)).toMatchObject({ status: 200 })
    expect(await bob.get(`/api/v1/chats/share/${share_id}`)).toMatchObject({ status: 404 })
    expect(await bob.post(`/api/v1/chats/share/${share_id}/clone`)).toMatchObject({ status: 404 })
  })

  it('can be gone on with by a colleague, in a chat of their own', async () => {
    const { ana, boss } = await company()
    const question = asked('Which?')
    const replies = ['one', 'two', 'three', 'four'].map((text) => answered(text, question.id))
    const { id } = await newChat(ana, [question, ...replies])
    const { share_id } = (await ana.post(`/api/v1/chats/${id}/share`)).body
    const { body } = await boss.post(`/api/v1/chats/share/${share_id}/clone`, { title: 'Mine now' })
    expect(body).toMatchObject({ title: 'Mine now', user_id: boss.id, share_id: null })
    expect(body.chat.history.messages[question.id].childrenIds).toEqual([replies.at(-1)?.id])
    expect(await ana.get(`/api/v1/chats/${body.id}`)).toMatchObject({ status: 404 })
  })
})

describe('a clone', () => {
  it('has all of the chat, and goes its own way', async () => {
    const ana = await app.user()
    const made = await newChat(ana, turn('Hi', 'Hello'), {
      title: 'Greetings',
      params: { temperature: 1 },
      tags: ['x'],
    })
    const { body } = await ana.post(`/api/v1/chats/${made.id}/clone`)
    expect(body).toMatchObject({
      title: 'Clone of Greetings',
      meta: { tags: ['x'] },
      chat: { params: { temperature: 1 } },
    })
    expect(body.id).not.toBe(made.id)
    expect(body.chat.history).toEqual(made.chat.history)
    await ana.post(`/api/v1/chats/${body.id}`, {
      chat: { history: { messages: { [body.chat.currentId]: { content: 'Hey' } } } },
    })
    expect(contents((await ana.get(`/api/v1/chats/${made.id}`)).body)).toEqual(['Hi', 'Hello'])
  })

  it('up to a message has its thread and nothing else', async () => {
    const ana = await app.user()
    const first = turn('One', 'First')
    const second = turn('Two', 'Second', first[1].id)
    const { id } = await newChat(ana, [...first, ...second])
    const { body } = await ana.post(`/api/v1/chats/${id}/clone`, { message_id: first[1].id })
    expect(contents(body)).toEqual(['One', 'First'])
    expect(Object.keys(body.chat.history.messages)).toHaveLength(2)
    const nowhere = await ana.post(`/api/v1/chats/${id}/clone`, { message_id: randomUUID() })
    expect(nowhere).toMatchObject({ status: 404, body: { code: 'message_not_found' } })
  })

  it('waits for no reply: what is unfinished in the original is finished as it is', async () => {
    const ana = await app.user()
    const { id } = await newChat(ana, turn('Hi', ''))
    const { body } = await ana.post(`/api/v1/chats/${id}/clone`)
    expect(body.chat.messages[1]).toMatchObject({ content: '', done: true })
  })
})

describe('export and import', () => {
  it('brings every chat back as it was, under a new id', async () => {
    const [ana, bob] = await Promise.all([app.user(), app.user()])
    const question = asked('Which?', { odd: { field: [1] } })
    const replies = [answered('Left', question.id), answered('Right', question.id)]
    const { id } = await newChat(ana, [question, ...replies], { title: 'Branches', tags: ['x'], theme: 'green' })
    await ana.post(`/api/v1/chats/${id}/pin`)
    await newChat(ana, turn('Hi', 'Hello'))
    const exported = (await ana.get('/api/v1/chats/all')).body
    expect(exported).toHaveLength(2)
    for (const chat of exported) expect(Chat.safeParse(chat).success).toBe(true)
    const { body } = await bob.post('/api/v1/chats/import', { chats: exported })
    expect(body).toMatchObject({ imported: 2 })
    for (const [index, newId] of body.ids.entries()) {
      const { id: oldId, ...kept } = exported[index]
      expect(newId).not.toBe(oldId)
      const { body: brought } = await bob.get(`/api/v1/chats/${newId}`)
      const chat = { ...kept.chat, messages: brought.chat.messages }
      expect(brought).toEqual({ ...kept, chat, id: newId, user_id: bob.id })
    }
    const again = (await bob.get('/api/v1/chats/all')).body
    const withoutIds = (chats: Wire[]) => chats.map(({ id: _, user_id: _u, ...rest }) => rest)
    expect(withoutIds(again)).toEqual(withoutIds(exported))
  })

  it('streams a line for each chat when asked, and an empty export is empty', async () => {
    const ana = await app.user()
    expect((await ana.get('/api/v1/chats/all')).body).toEqual([])
    expect(await ana.get('/api/v1/chats/all?format=ndjson')).toMatchObject({ status: 200, text: '' })
    for (let number = 0; number < 3; number += 1) await newChat(ana, turn('Hi', 'Hello\nthere'), { title: `${number}` })
    const reply = await ana.get('/api/v1/chats/all?format=ndjson')
    expect(reply.headers.get('content-type')).toContain('ndjson')
    const lines = reply.text.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).title)).toEqual(['0', '1', '2'])
  })

  it('exports nothing of anybody else', async () => {
    const [ana, bob] = await Promise.all([app.user(), app.user()])
    await newChat(ana, turn('A secret', 'Told'))
    expect((await bob.get('/api/v1/chats/all')).body).toEqual([])
  })

  it('mends links of old exports that lead nowhere', async () => {
    const ana = await app.user()
    const orphan = asked('Orphan', { parentId: randomUUID(), childrenIds: [randomUUID()] })
    const history = { currentId: randomUUID(), messages: { [orphan.id]: orphan } }
    const { body } = await ana.post('/api/v1/chats/import', {
      chats: [{ chat: { title: 'Old', history }, created_at: 5 }],
    })
    const imported = (await ana.get(`/api/v1/chats/${body.ids[0]}`)).body
    expect(imported).toMatchObject({ title: 'Old', created_at: 5, chat: { currentId: orphan.id } })
    expect(imported.chat.messages).toMatchObject([{ content: 'Orphan', parentId: null, childrenIds: [] }])
  })
})
