/** Images that come with a message, and become files. */
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { asked, chatOf, newChat, turn, type Wire } from '#test/harness/conversation.ts'
import type { Person } from '#test/harness/people.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { imagesIn, namingFiles } from './message-images.ts'

const app = await sharedApp()

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
