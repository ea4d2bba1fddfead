import { describe, expect, it } from 'vitest'
import type { Client } from '#test/harness/client.ts'
import { newChat, startChatsNode, turn, type Wire } from '#test/harness/conversation.ts'
import { sharedApp } from '#test/harness/shared-app.ts'

const app = await sharedApp()
const titlesIn = async (person: Client, query = ''): Promise<string[]> =>
  (await person.get(`/api/v1/chats/${query}`)).body.items.map(({ title }: Wire) => title)

describe('the list of chats', () => {
  it('is newest first, sixty to a page, with and without the slash, and knows how many there are', async () => {
    const ana = await app.user()
    for (let number = 1; number <= 61; number += 1) {
      await newChat(ana, [], { title: `Chat ${number}` })
      if (number === 1 || number === 60) app.clock.forward({ ms: 1000 })
    }
    const { body } = await ana.get('/api/v1/chats/')
    expect(body.total).toBe(61)
    expect(body.items).toHaveLength(60)
    expect(body.items[0].title).toBe('Chat 61')
    expect((await ana.get('/api/v1/chats?page=2')).body.items).toMatchObject([{ title: 'Chat 1' }])
    expect(await ana.get('/api/v1/chats?page=0')).toMatchObject({ status: 422 })
    expect(body.items[0]).not.toHaveProperty('chat')
  })

  it('lists what is shared, archived chats too', async () => {
    const ana = await app.user({ org: 'sharers' })
    const [open, archived] = [await newChat(ana, [], { title: 'Open' }), await newChat(ana, [], { title: 'Archived' })]
    await newChat(ana, [], { title: 'Private' })
    for (const { id } of [open, archived]) await ana.post(`/api/v1/chats/${id}/share`)
    await ana.post(`/api/v1/chats/${archived.id}/archive`, { archived: true })
    expect((await titlesIn(ana, '?shared=true')).sort()).toEqual(['Archived', 'Open'])
    expect(await titlesIn(ana, '?shared=false')).toEqual(['Private'])
    expect(await titlesIn(await app.user({ org: 'sharers' }), '?shared=true')).toEqual([])
  })

  it('puts a chat on top again when something is written into it, but not for a pin', async () => {
    const ana = await app.user()
    const [first, second] = [await newChat(ana, [], { title: 'First' }), await newChat(ana, [], { title: 'Second' })]
    app.clock.forward({ ms: 5000 })
    await ana.post(`/api/v1/chats/${first.id}`, { chat: { params: { temperature: 1 } } })
    app.clock.forward({ ms: 5000 })
    await ana.post(`/api/v1/chats/${second.id}/pin`)
    expect(await titlesIn(ana)).toEqual(['First', 'Second'])
  })
})

describe('order among chats', () => {
  it('pins and archives, by turning around or by saying which', async () => {
    const ana = await app.user()
    const { id } = await newChat(ana, [], { title: 'Plan' })
    expect((await ana.post(`/api/v1/chats/${id}/pin`)).body.pinned).toBe(true)
    expect((await ana.post(`/api/v1/chats/${id}/pin`, { pinned: true })).body.pinned).toBe(true)
    expect(await titlesIn(ana, '?pinned=true')).toEqual(['Plan'])
    expect((await ana.post(`/api/v1/chats/${id}/pin`)).body.pinned).toBe(false)
    expect(await titlesIn(ana, '?pinned=true')).toEqual([])
    expect((await ana.post(`/api/v1/chats/${id}/archive`)).body.archived).toBe(true)
    expect(await titlesIn(ana)).toEqual([])
    expect(await titlesIn(ana, '?archived=true')).toEqual(['Plan'])
    expect((await ana.post(`/api/v1/chats/${id}/archive`, { archived: false })).body.archived).toBe(false)
  })

  it('sets tags, lists them once whatever their case, and finds chats by them', async () => {
    const ana = await app.user()
    const [first, second] = [await newChat(ana, [], { title: 'One' }), await newChat(ana, [], { title: 'Two' })]
    await ana.post(`/api/v1/chats/${first.id}/tags`, { tags: ['Work', 'work', 'home'] })
    await ana.post(`/api/v1/chats/${second.id}/tags`, { tags: ['work'] })
    expect((await ana.get('/api/v1/chats/all/tags')).body.items).toEqual([
      { name: 'home', chat_count: 1 },
      { name: expect.stringMatching(/^work$/i), chat_count: 2 },
    ])
    expect((await titlesIn(ana, '?tag=WORK')).sort()).toEqual(['One', 'Two'])
    await ana.post(`/api/v1/chats/${first.id}/tags`, { tags: [] })
    expect(await titlesIn(ana, '?tag=work')).toEqual(['Two'])
  })
})

describe('folders', () => {
  const folder = async (person: Client, name: string, parent_id: string | null = null): Promise<string> =>
    (await person.post('/api/v1/folders', { name, parent_id })).body.id

  it('hold chats and other folders', async () => {
    const ana = await app.user()
    const work = await folder(ana, 'Work')
    const reports = await folder(ana, 'Reports', work)
    const { id } = await newChat(ana, [], { title: 'Plan' })
    await ana.post(`/api/v1/chats/${id}/folder`, { folder_id: reports })
    expect(await titlesIn(ana, `?folder_id=${reports}`)).toEqual(['Plan'])
    expect((await ana.get('/api/v1/folders')).body).toMatchObject({
      items: [
        { id: reports, name: 'Reports', parent_id: work, chat_count: 1 },
        { id: work, name: 'Work', parent_id: null, chat_count: 0 },
      ],
      total: 2,
    })
    await ana.post(`/api/v1/chats/${id}/folder`, { folder_id: null })
    expect(await titlesIn(ana, `?folder_id=${reports}`)).toEqual([])
  })

  it('take new chats', async () => {
    const ana = await app.user()
    const work = await folder(ana, 'Work')
    const chat = { title: 'Plan', models: [], messages: [], history: {} }
    expect((await ana.post('/api/v1/chats/new', { chat, folder_id: work })).body.folder_id).toBe(work)
  })

  it('are renamed and moved, but never into themselves', async () => {
    const ana = await app.user()
    const top = await folder(ana, 'Top')
    const middle = await folder(ana, 'Middle', top)
    const bottom = await folder(ana, 'Bottom', middle)
    for (const parent_id of [top, middle, bottom])
      expect(await ana.patch(`/api/v1/folders/${top}`, { parent_id })).toMatchObject({
        status: 422,
        body: { code: 'folder_cycle' },
      })
    const moved = await ana.patch(`/api/v1/folders/${bottom}`, { parent_id: top, name: 'Beside' })
    expect(moved.body).toMatchObject({ name: 'Beside', parent_id: top })
  })

  it('two moves at once do not put two folders into each other', async () => {
    const ana = await app.user()
    const [one, two] = [await folder(ana, 'One'), await folder(ana, 'Two')]
    const replies = await Promise.all([
      ana.patch(`/api/v1/folders/${one}`, { parent_id: two }),
      ana.patch(`/api/v1/folders/${two}`, { parent_id: one }),
    ])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 422])
  })

  it('leave their chats unfiled when they go, with the folders in them', async () => {
    const ana = await app.user()
    const top = await folder(ana, 'Top')
    const bottom = await folder(ana, 'Bottom', top)
    const { id } = await newChat(ana, [], { title: 'Plan' })
    await ana.post(`/api/v1/chats/${id}/folder`, { folder_id: bottom })
    expect(await ana.delete(`/api/v1/folders/${top}`)).toMatchObject({ status: 204 })
    expect((await ana.get('/api/v1/folders')).body.total).toBe(0)
    expect((await ana.get(`/api/v1/chats/${id}`)).body.folder_id).toBeNull()
  })

  it('of somebody else are unknown', async () => {
    const [ana, bob] = await Promise.all([app.user(), app.user()])
    const hers = await folder(ana, 'Hers')
    const { id } = await newChat(bob, [])
    const chat = { title: 'Plan', models: [], messages: [], history: {} }
    for (const reply of [
      await bob.post(`/api/v1/chats/${id}/folder`, { folder_id: hers }),
      await bob.post('/api/v1/folders', { name: 'Mine', parent_id: hers }),
      await bob.post('/api/v1/chats/new', { chat, folder_id: hers }),
    ])
      expect(reply).toMatchObject({ status: 404, body: { code: 'folder_not_found' } })
  })
})

describe('deleting', () => {
  it('takes a chat with all that belongs to it', async () => {
    const ana = await app.user()
    const { id } = await newChat(ana, turn('Hi', 'Hello'))
    await ana.post(`/api/v1/chats/${id}/share`)
    expect(await ana.delete(`/api/v1/chats/${id}`)).toMatchObject({ status: 204 })
    expect(await ana.get(`/api/v1/chats/${id}`)).toMatchObject({ status: 404 })
    expect(await ana.delete(`/api/v1/chats/${id}`)).toMatchObject({ status: 404 })
    for (const table of ['chatMessages', 'chatShares'] as const)
      expect(await app.db.selectFrom(table).select('id').where('chatId', '=', id).execute()).toEqual([])
  })

  it('of all chats asks for a word of confirmation, and spares those of others', async () => {
    const [ana, bob] = await Promise.all([app.user(), app.user()])
    await Promise.all([newChat(ana, []), newChat(ana, []), newChat(bob, [], { title: 'His' })])
    for (const path of ['/api/v1/chats', '/api/v1/chats/', '/api/v1/chats?confirm=yes'])
      expect(await ana.delete(path)).toMatchObject({ status: 422 })
    expect(await titlesIn(ana)).toHaveLength(2)
    expect(await ana.delete('/api/v1/chats/?confirm=all')).toMatchObject({ status: 200, body: { deleted: 2 } })
    expect(await titlesIn(ana)).toEqual([])
    expect(await titlesIn(bob)).toEqual(['His'])
  })

  it('tells a writer that the chat still exists', async () => {
    const ana = await app.user()
    const { chats, db } = await startChatsNode(app)
    const { id } = await newChat(ana, [])
    const heard: (readonly string[])[] = []
    chats.onDelete((ids) => heard.push(ids))
    const remove = chats.routes.find(({ method, path }) => method === 'DELETE' && path === '/api/v1/chats/:chatId')
    await remove?.handle({ actor: { id: ana.id }, params: { chatId: id } })
    expect(heard).toEqual([[id]])
    expect(await db.selectFrom('chats').select('id').where('id', '=', id).execute()).toEqual([])
    await expect(remove?.handle({ actor: { id: ana.id }, params: { chatId: id } })).rejects.toThrow()
    expect(heard).toHaveLength(1)
  })
})
