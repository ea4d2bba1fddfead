/** Shared chats that anybody with the link can read, and everything that closes such a link. */
import { describe, expect, it } from 'vitest'
import { answered, asked, newChat, turn, type Wire } from '#test/harness/conversation.ts'
import { uploadText } from '#test/harness/files.ts'
import type { Person } from '#test/harness/people.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { publicMessagesOf } from './public-view.ts'

const app = await sharedApp()
const reader = app.newcomer()

const company = async () => {
  const org = `org ${app.unknownId()}`
  const boss = await app.user({ org })
  await boss.patch('/api/org/settings', { publicChatLinks: true })
  return { boss, ana: await app.user({ org, name: 'Ana Author' }) }
}
const shared = async (person: Person, messages: Wire[] = turn('Hi', 'Hello')) => {
  const { id } = await newChat(person, messages, { title: 'Greetings' })
  await person.post(`/api/v1/chats/${id}/share`)
  return id as string
}
const publish = async (person: Person, chatId: string, body = {}) => {
  const reply = await person.put(`/api/v1/chats/${chatId}/share/public`, body)
  expect(reply).toMatchObject({ status: 200 })
  return `/api/public/chats/${new URL(reply.body.public_url).pathname.split('/').at(-1)}`
}
const statusOf = async (link: string) => (await reader.get(link)).status

describe('a public link', () => {
  it('shows the thread to anybody, names nobody unless the author wants it, and is kept from search engines and caches', async () => {
    const { ana } = await company()
    const chatId = await shared(ana)
    const link = await publish(ana, chatId)
    const reply = await reader.get(link)
    expect(reply.body).toEqual({
      title: 'Greetings',
      author: null,
      shared_at: expect.any(Number),
      messages: [
        expect.objectContaining({ role: 'user', content: 'Hi', model: null, files: [] }),
        expect.objectContaining({ role: 'assistant', content: 'Hello' }),
      ],
    })
    expect(reply.text).not.toMatch(new RegExp(`Ana|${ana.id}|${chatId}`))
    expect(reply.headers.get('x-robots-tag')).toContain('noindex')
    expect(reply.headers.get('cache-control')).toBe('no-store')
    expect(reply.headers.get('referrer-policy')).toBe('no-referrer')
    expect(link.split('/').at(-1)?.length).toBeGreaterThanOrEqual(43)

    const { public_url } = (await ana.get(`/api/v1/chats/${chatId}/share`)).body
    expect(await publish(ana, chatId, { show_author: true, public_url })).toBe(link)
    expect((await reader.get(link)).body.author).toBe('Ana Author')
    expect((await ana.get('/api/v1/chats/?shared=true')).body.items).toMatchObject([{ id: chatId, is_public: true }])
    expect((await ana.get('/api/v1/chats/')).body.items[0]).not.toHaveProperty('is_public')
  })

  it('is off until the organization allows it, and never there without an organization', async () => {
    const loner = await app.user()
    const newOrg = await app.user({ org: `org ${app.unknownId()}` })
    for (const person of [loner, newOrg]) {
      const refused = await person.put(`/api/v1/chats/${await shared(person)}/share/public`, {})
      expect(refused).toMatchObject({ status: 403, body: { code: 'public_links_not_allowed' } })
    }
    const unshared = await newChat(newOrg, turn('Hi', 'Hello'))
    expect(await newOrg.put(`/api/v1/chats/${unshared.id}/share/public`, {})).toMatchObject({ status: 404 })
  })

  it('closes at once by its author, who then gets another one', async () => {
    const { ana, boss } = await company()
    const chatId = await shared(ana)
    const first = await publish(ana, chatId)
    expect(await ana.delete(`/api/v1/chats/${chatId}/share/public`)).toMatchObject({ status: 204 })
    expect(await reader.get(first)).toMatchObject({ status: 404, body: { code: 'share_not_found' } })
    const { share_id, public_url } = (await ana.get(`/api/v1/chats/${chatId}/share`)).body
    expect(public_url).toBeNull()
    // "Show my name" in a tab that still shows the removed link.
    const stale = { show_author: true, public_url: first.replace('/api/public/chats/', `${app.url}/public/`) }
    expect(await ana.put(`/api/v1/chats/${chatId}/share/public`, stale)).toMatchObject({
      status: 404,
      body: { code: 'public_link_not_found' },
    })
    expect((await ana.get(`/api/v1/chats/${chatId}/share`)).body.public_url).toBeNull()
    expect(await boss.get(`/api/v1/chats/share/${share_id}`)).toMatchObject({ status: 200 })
    const second = await publish(ana, chatId)
    expect(second).not.toBe(first)
    expect(await ana.put(`/api/v1/chats/${chatId}/share/public`, stale)).toMatchObject({ status: 404 })
    expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200])
    // "Public link" in a tab that doesn't know of the link yet leaves it as it is.
    await publish(ana, chatId, { show_author: true })
    expect(await publish(ana, chatId)).toBe(second)
    expect((await ana.get(`/api/v1/chats/${chatId}/share`)).body.show_author).toBe(true)
    await ana.delete(`/api/v1/chats/${chatId}/share`)
    expect(await statusOf(second)).toBe(404)
    // "Update snapshot" in a tab that still shows the share.
    expect(await ana.post(`/api/v1/chats/${chatId}/share`, { share_id })).toMatchObject({
      status: 404,
      body: { code: 'share_not_found' },
    })
    expect((await ana.get(`/api/v1/chats/${chatId}/share`)).status).toBe(404)
    const actions = await app.db
      .selectFrom('auditLog')
      .selectAll()
      .where('targetId', '=', chatId)
      .orderBy('id')
      .execute()
    expect(actions.map(({ action }) => action)).toEqual([
      'chat.publish',
      'chat.unpublish',
      'chat.publish',
      'chat.publish',
      'chat.unpublish',
    ])
    expect(actions[0]).toMatchObject({ actorId: ana.id, detail: { title: 'Greetings', show_author: false } })
    expect(JSON.stringify(actions)).not.toContain(second.split('/').at(-1))
  })

  it('closes at once when the organization turns public links off, the author is deactivated or leaves, or the chat is deleted', async () => {
    const { ana, boss } = await company()
    const chatId = await shared(ana)
    const link = await publish(ana, chatId)
    await boss.patch('/api/org/settings', { publicChatLinks: false })
    expect(await statusOf(link)).toBe(404)
    await boss.patch('/api/org/settings', { publicChatLinks: true })
    expect(await statusOf(link)).toBe(200)

    const elsewhere = (await company()).boss.organizationId
    const moveTo = (organizationId: string | null) =>
      app.db.updateTable('users').set({ organizationId }).where('id', '=', ana.id).execute()
    await moveTo(elsewhere)
    expect(await statusOf(link)).toBe(404)
    await moveTo(boss.organizationId)
    // Nor does an author who has moved see it as open.
    const madeIn = (publicOrganizationId: string | null) =>
      app.db.updateTable('chatShares').set({ publicOrganizationId }).where('chatId', '=', chatId).execute()
    await madeIn(elsewhere)
    expect((await ana.get(`/api/v1/chats/${chatId}/share`)).body).toMatchObject({ public_url: null })
    expect((await ana.get('/api/v1/chats/?shared=true')).body.items).toMatchObject([{ is_public: false }])
    await madeIn(boss.organizationId)

    await boss.post(`/api/org/team/${ana.id}/deactivate`)
    expect(await statusOf(link)).toBe(404)
    await boss.post(`/api/org/team/${ana.id}/reactivate`)
    expect(await statusOf(link)).toBe(200)

    const owner = await app.platformOwner()
    await owner.patch(`/api/admin/organizations/${boss.organizationId}`, { active: false })
    expect(await statusOf(link)).toBe(404)
    await owner.patch(`/api/admin/organizations/${boss.organizationId}`, { active: true })
    await app.db.deleteFrom('chats').where('id', '=', chatId).execute()
    expect(await statusOf(link)).toBe(404)
  })

  it('serves the files of its thread, of its author alone', async () => {
    const { ana, boss } = await company()
    const idOf = async (person: Person, text: string) => (await uploadText(person, text)).body.id as string
    const [mine, edited] = [await idOf(ana, 'my own words'), await idOf(ana, 'edited away')]
    const foreign = await idOf(boss, 'a secret of the boss')
    const attached = (id: string) => ({ type: 'file', id, name: 'notes.txt' })
    const away = asked('Before', { files: [attached(edited)] })
    const question = asked('Read this', { files: [attached(mine), attached(foreign)] })
    const chatId = await shared(ana, [away, question, answered('Done', question.id)])
    const link = await publish(ana, chatId)
    const file = await reader.get(`${link}/files/${mine}`)
    expect(file).toMatchObject({ status: 200, text: 'my own words' })
    expect(file.headers.get('cache-control')).toBe('no-store')
    expect(file.headers.get('x-robots-tag')).toContain('noindex')
    for (const id of [edited, foreign, app.unknownId()])
      expect(await reader.get(`${link}/files/${id}`)).toMatchObject({ status: 404 })
    const { share_id } = (await ana.get(`/api/v1/chats/${chatId}/share`)).body
    expect(await boss.get(`/api/v1/chats/share/${share_id}/files/${mine}`)).toMatchObject({ text: 'my own words' })
    expect(await boss.get(`/api/v1/files/${mine}/content`)).toMatchObject({ status: 404 })

    const change = (values: { fileIds?: null; chat?: object }) =>
      app.db
        .updateTable('chatShares')
        .set(values as never)
        .where('chatId', '=', chatId)
        .execute()
    // A share that was saved before the ids of its files were stored.
    await change({ fileIds: null })
    expect(await statusOf(`${link}/files/${edited}`)).toBe(404)
    // Without a snapshot to read from now on.
    await change({ chat: {} })
    for (const path of [`${link}/files`, `/api/v1/chats/share/${share_id}/files`])
      expect(await boss.get(`${path}/${mine.toUpperCase()}`)).toMatchObject({ text: 'my own words' })
    await ana.delete(`/api/v1/chats/${chatId}/share/public`)
    expect(await statusOf(`${link}/files/${mine}`)).toBe(404)
  })

  it('opens its page about once a second for one address', async () => {
    const eager = app.newcomer()
    let status = 404
    for (let asked = 0; asked < 500 && status !== 429; asked++)
      status = (await eager.get('/api/public/chats/unknown')).status
    expect(status).toBe(429)
    expect(await reader.get('/api/public/chats/unknown')).toMatchObject({ status: 404 })
  })

  it('is closed when the chat goes to somebody else with the deletion of its author', async () => {
    const { ana, boss } = await company()
    const link = await publish(ana, await shared(ana))
    const owner = await app.platformOwner()
    const body = JSON.stringify({ transferTo: boss.id })
    const headers = { 'content-type': 'application/json' }
    expect(await owner.send('DELETE', `/api/admin/users/${ana.id}`, { body, headers })).toMatchObject({ status: 204 })
    expect((await boss.get('/api/v1/chats/?shared=true')).body.items).toMatchObject([{ is_public: false }])
    expect(await statusOf(link)).toBe(404)
  })
})

describe('what a public link shows of a message', () => {
  it('is picked field by field: no ratings, sources, steps, system prompts or collections', () => {
    const common = { parentId: null, childrenIds: [], timestamp: 5 }
    const hidden = {
      annotation: { reason: 'bad' },
      sources: [{}],
      statusHistory: [{}],
      usage: {},
      user: 'Ana',
      embeds: ['x'],
    }
    const id = app.unknownId()
    const files = [
      { type: 'collection', id, name: 'Contracts' },
      { type: 'image', id, name: 'a.png', url: '/api/v1/files/x', owner: 'Ana' },
      { type: 'image', id: '../../secret' },
      null,
    ]
    const messages = [
      { id: 's', role: 'system', content: 'secret prompt', ...common },
      { id: 'u', role: 'user', content: 'Hi', ...common, ...hidden, files, model: 'ignored' },
      { id: 'a', role: 'assistant', content: 'Hello', ...common, ...hidden, model: 'swift', modelName: 'Swift' },
    ]
    expect(publicMessagesOf({ messages })).toEqual([
      {
        id: 'u',
        role: 'user',
        content: 'Hi',
        timestamp: 5,
        model: null,
        files: [{ id, type: 'image', name: 'a.png' }],
      },
      { id: 'a', role: 'assistant', content: 'Hello', timestamp: 5, model: 'Swift', files: [] },
    ])
  })
})
