/** Chats that travel: shared, cloned, exported, imported. */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Chat } from '@chancery/contract/chats.ts'
import { describe, expect, it } from 'vitest'
import { answered, asked, chatOf, newChat, turn, type Wire } from '#test/harness/conversation.ts'
import type { Person } from '#test/harness/people.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { imagesIn, namingFiles } from './message-images.ts'

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
    const routes = await readFile(new URL('../../../../web/src/app/routes/areas.ts', import.meta.url), 'utf8')
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

describe('an image in a message', () => {
  const dot = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  )
  const dataUrl = (bytes: Buffer = dot, type = 'image/png') => `data:${type};base64,${bytes.toString('base64')}`
  const showing = (url = dataUrl(), more: Wire = {}) => asked('Look', { files: [{ type: 'image', url, ...more }] })
  const imageOf = ({ chat }: Wire): Wire => chat.messages[0].files[0]
  const filesOf = async (person: Person): Promise<Wire[]> => (await person.get('/api/v1/files/')).body.items

  it('is stored once, as a file of the owner, however often it is sent', async () => {
    const ana = await app.user()
    const [first, second] = [showing(dataUrl(), { name: 'a dot.png', odd: 1 }), showing(dataUrl(dot, 'image/x-any'))]
    const made = await newChat(ana, [first, { ...second, parentId: first.id }], { files: [{ url: dataUrl() }] })
    const [file, ...others] = await filesOf(ana)
    expect(others).toEqual([])
    expect(file).toMatchObject({ filename: 'a dot.png', meta: { content_type: 'image/png', size: dot.length } })
    const url = `/api/v1/files/${file?.id}/content`
    expect(made.chat.messages.map(({ files }: Wire) => files)).toEqual([
      [{ type: 'image', id: file?.id, name: 'a dot.png', url, odd: 1 }],
      [{ type: 'image', id: file?.id, name: 'a dot.png', url }],
    ])
    expect(made.chat.files).toEqual([{ type: 'image', id: file?.id, name: 'a dot.png', url }])
    expect(await ana.get(url)).toMatchObject({ status: 200 })

    const again = { chat: { history: { messages: { [first.id]: first } } } }
    const merges = await Promise.all([1, 2, 3].map(() => ana.post(`/api/v1/chats/${made.id}`, again)))
    for (const { body } of merges) expect(body).toEqual(made)
    const event = { type: 'files', data: { files: [{ type: 'image', url: dataUrl() }] } }
    expect((await ana.post(`/api/v1/chats/${made.id}/messages/${second.id}/event`, event)).status).toBe(200)
    const { text, body } = await ana.get(`/api/v1/chats/${made.id}`)
    expect(text).not.toContain('base64')
    expect(body.chat.messages[1].files).toHaveLength(2)
    expect(await filesOf(ana)).toHaveLength(1)
  })

  it('becomes one file when two requests bring it at the same time, and none when the chat is refused', async () => {
    const ana = await app.user()
    const lost = await ana.post('/api/v1/chats/new', { chat: chatOf([{ ...showing(), parentId: randomUUID() }]) })
    expect(lost).toMatchObject({ status: 422, body: { code: 'history_invalid' } })
    expect(await filesOf(ana)).toEqual([])
    const made = await Promise.all([1, 2, 3].map(() => newChat(ana, [showing()])))
    expect(new Set(made.map((chat) => imageOf(chat).id)).size).toBe(1)
    expect(await filesOf(ana)).toHaveLength(1)
  })

  it('stays in the message as it came where it can’t become a file', async () => {
    const ana = await app.user({ org: `org ${app.unknownId()}` })
    const owner = await app.platformOwner()
    await owner.patch(`/api/admin/organizations/${ana.organizationId}`, { limits: { storageBytes: dot.length - 1 } })
    const svg = dataUrl(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml')
    for (const url of [
      dataUrl(),
      svg,
      dataUrl(Buffer.from('no image')),
      `${dataUrl()}%%`,
      'data:image/png;base64,',
      'x',
    ])
      expect(imageOf(await newChat(ana, [showing(url)]))).toEqual({ type: 'image', url })
    expect(await filesOf(ana)).toEqual([])
  })

  it('stays as it came where a request brings more than 200', () => {
    const numbered = Array.from({ length: 201 }, (_, index) => ({
      type: 'image',
      url: dataUrl(Buffer.concat([dot, Buffer.from([index])])),
    }))
    const stored = new Map([...imagesIn([numbered])].map(([url], index) => [url, { id: `${index}`, name: 'dot' }]))
    expect(stored.size).toBe(200)
    const files = namingFiles(numbered, stored) as Wire[]
    expect(files.filter(({ id }) => id)).toHaveLength(200)
    expect(files.at(-1)).toEqual(numbered.at(-1))
  })

  it('stays named in a copy of a shared chat where there is no storage for it', async () => {
    const org = `org ${app.unknownId()}`
    const [boss, ana] = [await app.user({ org }), await app.user({ org })]
    const made = await newChat(ana, [showing()])
    const { share_id } = (await ana.post(`/api/v1/chats/${made.id}/share`)).body
    const owner = await app.platformOwner()
    await owner.patch(`/api/admin/organizations/${boss.organizationId}`, { limits: { storageBytes: dot.length } })
    const { status, body } = await boss.post(`/api/v1/chats/share/${share_id}/clone`)
    expect(status).toBe(200)
    expect(imageOf(body)).toEqual(imageOf(made))
  })

  it('is seen by those with whom the chat is shared, and is a file of their own in their copy', async () => {
    const org = `org ${app.unknownId()}`
    const [boss, ana] = [await app.user({ org }), await app.user({ org })]
    const { id, ...made } = await newChat(ana, [showing()])
    const original = imageOf(made)
    const { share_id } = (await ana.post(`/api/v1/chats/${id}/share`)).body
    expect(await boss.get(`/api/v1/chats/share/${share_id}/files/${original.id}`)).toMatchObject({ status: 200 })
    const copy = imageOf((await boss.post(`/api/v1/chats/share/${share_id}/clone`)).body)
    expect(copy.id).not.toBe(original.id)
    expect(await ana.delete(`/api/v1/files/${original.id}`)).toMatchObject({ status: 204 })
    expect(await boss.get(copy.url)).toMatchObject({ status: 200 })
    expect(await boss.get(original.url)).toMatchObject({ status: 404 })
  })

  it('is in the export, and an import makes a file of it, also of one among the parts of a message', async () => {
    const [ana, bob] = await Promise.all([app.user(), app.user()])
    const made = await newChat(ana, [showing()], {
      title: 'With a picture',
      files: [{ type: 'image', url: dataUrl() }],
    })
    await newChat(ana, turn('Hi', 'Hello'))
    const exported = (await ana.get(`/api/v1/chats/all?chat_id=${made.id}`)).body
    expect(exported).toHaveLength(1)
    const [message] = Object.values<Wire>(exported[0].chat.history.messages)
    expect([message?.files[0].url, exported[0].chat.files[0].url]).toEqual([dataUrl(), dataUrl()])
    expect(await bob.get(`/api/v1/chats/all?chat_id=${made.id}`)).toMatchObject({ status: 404 })

    const parts = [
      { type: 'text', text: 'Look' },
      { type: 'image_url', image_url: { url: dataUrl() } },
    ]
    const foreign = { chat: { title: 'Parts', messages: [{ role: 'user', content: parts }] } }
    const { body } = await bob.post('/api/v1/chats/import', [...exported, foreign])
    const [brought, fromParts] = await Promise.all(
      body.ids.map(async (id: string) => (await bob.get(`/api/v1/chats/${id}`)).body),
    )
    const [file] = await filesOf(bob)
    expect(await filesOf(bob)).toHaveLength(1)
    expect([imageOf(brought).id, brought.chat.files[0].id]).toEqual([file?.id, file?.id])
    expect(fromParts.chat.messages[0]).toMatchObject({
      content: 'Look',
      contentParts: [{ type: 'text', text: 'Look' }],
      files: [{ type: 'image', id: file?.id }],
    })
  })

  it('counts each time that it is named against what an export holds', async () => {
    const ana = await app.user()
    const made = await newChat(ana, [showing(dataUrl(Buffer.concat([dot, Buffer.alloc(3 * 1024 * 1024)])))])
    const exportAfter = async (...edits: string[]) => {
      const messages = edits.map((text) => asked(text, { files: [imageOf(made)] }))
      const history = { messages: Object.fromEntries(messages.map((message) => [message.id, message])) }
      expect((await ana.post(`/api/v1/chats/${made.id}`, { chat: { history } })).status).toBe(200)
      return (await ana.get(`/api/v1/chats/all?chat_id=${made.id}`)).text
    }
    expect((await exportAfter('Second', 'Third')).match(/base64/g)).toHaveLength(3)
    expect(await exportAfter('Fourth')).not.toContain('base64')
  })
})

describe('a rating of a reply', () => {
  const rated = async () => {
    const org = `org ${app.unknownId()}`
    const boss = await app.user({ org })
    const ana = await app.user({ org, name: 'Ana Author' })
    const [question, reply] = turn('A private question', 'An answer')
    const { id } = await newChat(ana, [question, reply])
    return { boss, ana, id, question, reply, path: `/api/v1/chats/${id}/messages/${reply.id}/rating` }
  }

  it('is on the message and in the report of the organization, with its reason but without the conversation', async () => {
    const { boss, ana, id, reply, path } = await rated()
    expect(await ana.put(path, { rating: 'good' })).toMatchObject({ status: 204 })
    expect(await ana.put(path, { rating: 'bad', reason: '=wrong, twice' })).toMatchObject({ status: 204 })
    const chat = await ana.get(`/api/v1/chats/${id}`)
    expect(chat.body.chat.history.messages[reply.id].annotation).toEqual({ rating: -1, reason: '=wrong, twice' })

    const report = await boss.get('/api/v1/ratings')
    expect(report.body).toMatchObject({
      total: 1,
      items: [{ user_name: 'Ana Author', rating: 'bad', reason: '=wrong, twice', share_id: null }],
      models: [{ good: 0, bad: 1 }],
    })
    expect(report.text).not.toMatch(/A private question|An answer/)
    const { share_id } = (await ana.post(`/api/v1/chats/${id}/share`)).body
    const file = await boss.get('/api/v1/ratings?format=csv')
    expect(file.text).toContain(`Ana Author,`)
    expect(file.text).toContain(`bad,"'=wrong, twice",`)
    expect(file.text).toContain(`/shared/${share_id}`)
    expect((await boss.get('/api/v1/ratings?rating=good')).body.total).toBe(0)

    const [another, second] = turn('Another question', 'Another answer')
    const { id: other } = await newChat(ana, [another, second])
    await ana.put(`/api/v1/chats/${other}/messages/${second.id}/rating`, { rating: 'good' })
    const sorted = async (sort: string) =>
      (await boss.get(`/api/v1/ratings?sort=${sort}`)).body.items.map(({ rating }: { rating: string }) => rating)
    expect(await sorted('rating')).toEqual(['bad', 'good'])
    expect(await sorted('-rating')).toEqual(['good', 'bad'])
    for (const sort of ['time', '-person', 'model']) expect(await sorted(sort)).toHaveLength(2)
  })

  it('is withdrawn, goes with its message, and is for replies only', async () => {
    const { boss, ana, id, question, reply, path } = await rated()
    await ana.put(path, { rating: 'bad' })
    expect(await ana.delete(path)).toMatchObject({ status: 204 })
    expect((await boss.get('/api/v1/ratings')).body.total).toBe(0)
    expect((await ana.get(`/api/v1/chats/${id}`)).body.chat.history.messages[reply.id].annotation).toBeNull()
    await ana.put(path, { rating: 'good' })
    await ana.delete(`/api/v1/chats/${id}/messages/${reply.id}`)
    expect((await boss.get('/api/v1/ratings')).body.total).toBe(0)
    const onQuestion = `/api/v1/chats/${id}/messages/${question.id}/rating`
    expect(await ana.put(onQuestion, { rating: 'good' })).toMatchObject({ status: 404 })
    expect(await ana.put(path, { rating: 'fine' })).toMatchObject({ status: 422 })
  })

  it('is reported to admins: of one organization its own, of the platform all', async () => {
    const { boss, ana, path } = await rated()
    await ana.put(path, { rating: 'good' })
    const other = await rated()
    expect((await boss.get('/api/v1/ratings')).body.total).toBe(1)
    expect((await other.boss.get('/api/v1/ratings')).body.total).toBe(0)
    expect(await ana.get('/api/v1/ratings')).toMatchObject({ status: 403 })
    const owner = await app.platformOwner()
    expect((await owner.get('/api/v1/ratings')).body.total).toBeGreaterThanOrEqual(1)
  })
})
