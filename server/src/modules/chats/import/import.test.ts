/** Importing what this and other products export, with everything that real files get wrong. */
import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { bearer } from '#test/harness/client.ts'
import type { Wire } from '#test/harness/conversation.ts'
import type { Person } from '#test/harness/people.ts'
import { sharedApp } from '#test/harness/shared-app.ts'

const app = await sharedApp()

const send = async (
  person: Person,
  body: string | ReadableStream | Buffer,
  query = '',
  signal: AbortSignal | null = null,
): Promise<{ status: number; body: Wire }> => {
  const reply = await fetch(`${app.url}/api/v1/chats/import${query}`, {
    method: 'POST',
    signal,
    headers: { ...bearer(person.token), 'content-type': 'application/json' },
    body,
    duplex: 'half',
  } as RequestInit)
  return { status: reply.status, body: (await reply.json()) as Wire }
}
/** Announces a body of this length and sends none of it. */
const declare = (person: Person, length: number): Promise<{ status: number | undefined; code: string }> => {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number | undefined; code: string }>()
  const headers = { ...bearer(person.token), 'content-type': 'application/json', 'content-length': length }
  const sending = request(`${app.url}/api/v1/chats/import`, { method: 'POST', headers }, async (reply) => {
    resolve({ status: reply.statusCode, code: ((await json(reply)) as Wire).code })
    sending.destroy()
  })
  sending.on('error', reject)
  sending.flushHeaders()
  return promise
}
const read = async (person: Person, id: string): Promise<Wire> => (await person.get(`/api/v1/chats/${id}`)).body
const record = (title: string, more: Wire = {}): Wire => ({
  title,
  chat: { title, history: { messages: {} } },
  ...more,
})

describe('an import', () => {
  it.each([
    ['a list', (chats: Wire[]) => JSON.stringify(chats, null, 2)],
    ['an object with chats', (chats: Wire[]) => JSON.stringify({ chats })],
    ['a record per line', (chats: Wire[]) => chats.map((chat) => JSON.stringify(chat)).join('\n')],
    ['a list after a byte order mark', (chats: Wire[]) => `\uFEFF${JSON.stringify(chats)}`],
  ])('takes %s', async (_shape, write) => {
    const ana = await app.user()
    const { status, body } = await send(ana, write([record('One'), record('Two }{ ][ "\\')]))
    expect([status, body]).toMatchObject([200, { imported: 2, skipped_count: 0, skipped: [] }])
    const titles = await Promise.all(body.ids.map(async (id: string) => (await read(ana, id)).title))
    expect(titles).toEqual(['One', 'Two }{ ][ "\\'])
  })

  it('takes the quirks of real files: floats, nulls, tool roles, foreign ids, circles', async () => {
    const ana = await app.user()
    const file = [
      {
        id: 'local-1',
        title: null,
        created_at: 1_700_000_000.75,
        updated_at: 1_700_000_100_123,
        meta: null,
        pinned: null,
        archived: null,
        folder_id: 'somewhere',
        chat: {
          title: 'From elsewhere',
          models: null,
          params: null,
          files: null,
          tags: [{ name: 'Imported' }],
          timestamp: 1_700_000_000_000,
          history: {
            currentId: 'msg-3',
            messages: {
              'msg-1': {
                id: 'msg-1',
                parentId: null,
                childrenIds: ['msg-2', 'gone'],
                role: 'user',
                content: 'Hi',
                timestamp: 1_700_000_000.5,
                models: null,
              },
              'msg-2': {
                id: 'msg-2',
                parentId: 'msg-1',
                childrenIds: null,
                role: 'tool',
                content: [{ type: 'text', text: '42' }],
                done: null,
              },
              'msg-3': {
                id: 'msg-3',
                parentId: 'msg-2',
                role: 'assistant',
                content: null,
                model: 'x',
                modelIdx: null,
                'nul\u0000': 'a\u0000b',
              },
              'msg-4': { parentId: 'msg-5', role: 'user', content: 'round' },
              'msg-5': { parentId: 'msg-4', role: 'user', content: 'and round' },
            },
          },
        },
      },
      {
        title: 'Flat',
        chat: {
          messages: [
            { role: 'user', content: 'A' },
            { role: 'assistant', content: 'B' },
          ],
        },
      },
    ]
    const { body } = await send(ana, JSON.stringify(file))
    expect(body).toMatchObject({ imported: 2, skipped: [] })
    const chat = await read(ana, body.ids[0])
    expect(chat).toMatchObject({
      title: 'From elsewhere',
      created_at: 1_700_000_000,
      updated_at: 1_700_000_100,
      pinned: false,
      folder_id: null,
      meta: { tags: ['Imported'] },
      chat: { models: [], params: {}, timestamp: 1_700_000_000_000 },
    })
    expect(chat.chat.messages).toMatchObject([
      { role: 'user', content: 'Hi', timestamp: 1_700_000_000 },
      { role: 'assistant', content: '42', originalRole: 'tool', done: true },
      { role: 'assistant', content: '', model: 'x', done: true, nul: 'ab' },
    ])
    expect(Object.keys(chat.chat.history.messages)).toHaveLength(5)
    const flat = await read(ana, body.ids[1])
    expect(flat.chat.messages.map(({ content }: Wire) => content)).toEqual(['A', 'B'])
  })

  it('keeps the good chats of a file and reports the others with their reason', async () => {
    const ana = await app.user()
    const messages = Object.fromEntries(
      Array.from({ length: 10_001 }, () => [randomUUID(), { role: 'user', content: '' }]),
    )
    const tooMany = { title: 'Too many', chat: { history: { messages } } }
    const parts = [record('First'), tooMany, { title: 'No chat at all' }, record('Last')].map((part) =>
      JSON.stringify(part),
    )
    const { status, body } = await send(ana, `[${parts.join(',')},{"title":"Cut off","chat":{"hist`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ imported: 2, skipped_count: 3 })
    expect(body.skipped).toMatchObject([
      { index: 1, title: 'Too many', code: 'chat_too_large' },
      { index: 2, title: 'No chat at all', code: 'history_invalid' },
      { index: 4, title: null, code: 'invalid_json', reason: 'The file ends in the middle of this chat.' },
    ])
    expect((await ana.get('/api/v1/chats/')).body.total).toBe(2)
  })

  it('refuses what is no JSON, and a file that is too large before anything is read', async () => {
    const ana = await app.user()
    expect(await send(ana, 'hello')).toMatchObject({ status: 400, body: { code: 'invalid_json' } })
    expect(await send(ana, '[]')).toMatchObject({ status: 200, body: { imported: 0, ids: [] } })
    expect(await declare(ana, 500 * 1024 * 1024 + 1)).toEqual({ status: 413, code: 'body_too_large' })
  })

  it('can be watched by its id while it runs, by its owner alone, and runs once per id', async () => {
    const [ana, bob] = await Promise.all([app.user(), app.user()])
    const importId = randomUUID()
    const watch = async (person = ana) => (await person.get(`/api/v1/chats/imports/${importId}`)).body
    const file = new TransformStream<Uint8Array, Uint8Array>()
    const writer = file.writable.getWriter()
    const text = new TextEncoder()
    const reply = send(ana, file.readable, `?import_id=${importId}`)
    await writer.write(text.encode(`[${JSON.stringify(record('One', { pad: 'x'.repeat(300) }))},{"title":"No chat"},`))
    await expect
      .poll(() => watch())
      .toMatchObject({ status: 'running', imported: 1, skipped_count: 1, total_bytes: null })
    expect((await ana.get('/api/v1/chats/')).body.total).toBe(1)
    expect(await watch(bob)).toMatchObject({ code: 'import_not_found' })
    const running = async (person = ana) => (await person.get('/api/v1/chats/imports')).body.items
    expect(await running()).toMatchObject([{ import_id: importId, imported: 1 }])
    expect(await running(bob)).toEqual([])
    expect(await send(ana, '[]', `?import_id=${importId}`)).toMatchObject({
      status: 409,
      body: { code: 'import_exists' },
    })
    await writer.write(text.encode(`${JSON.stringify(record('Two'))}]`))
    await writer.close()
    expect(await reply).toMatchObject({ status: 200, body: { import_id: importId, imported: 2, skipped_count: 1 } })
    const { body: finished } = await ana.get(`/api/v1/chats/imports/${importId}`)
    expect(finished).toMatchObject({ import_id: importId, status: 'finished', reason: null, imported: 2 })
    expect(finished.read_bytes).toBeGreaterThan(300)
    expect(await running()).toEqual([])
    expect((await send(bob, '[]', `?import_id=${importId}`)).status).toBe(200)
  })

  it('says how many chats there are when its connection is cut', async () => {
    const ana = await app.user()
    const importId = randomUUID()
    const cut = new AbortController()
    const file = new TransformStream<Uint8Array, Uint8Array>()
    const writer = file.writable.getWriter()
    const reply = send(ana, file.readable, `?import_id=${importId}`, cut.signal).catch(() => 'cut')
    writer
      .write(new TextEncoder().encode(`[${JSON.stringify(record('One', { pad: 'x'.repeat(300) }))},`))
      .catch(() => 0)
    const watch = async () => (await ana.get(`/api/v1/chats/imports/${importId}`)).body
    await expect.poll(watch).toMatchObject({ imported: 1 })
    cut.abort()
    expect(await reply).toBe('cut')
    await expect.poll(watch).toMatchObject({ status: 'failed', imported: 1, reason: expect.stringContaining('ended') })
  })

  it('takes a file as it comes, and its export again, beyond the old limits of nine megabytes and five hundred chats', async () => {
    const [ana, bob] = await Promise.all([app.user(), app.user()])
    const large = 'Work is the curse of the drinking classes. '.repeat(24_000)
    const chats = 505
    let sent = 0
    function* file(): Generator<Buffer> {
      for (let number = 0; number < chats; number += 1) {
        const id = randomUUID()
        const content = number < 10 ? large : 'short'
        const message = { id, role: 'user', content, parentId: null, childrenIds: [], timestamp: 1 }
        const history = { currentId: id, messages: { [id]: message } }
        const line = `${JSON.stringify(record(`Chat ${number}`, { chat: { title: `Chat ${number}`, history } }))}\n`
        sent += line.length
        yield Buffer.from(line)
      }
    }
    const contentOf = async (person: Person, id: string) => {
      const [message = {}] = Object.values((await read(person, id)).chat.history.messages as Wire) as Wire[]
      return message.content
    }
    const { status, body } = await send(ana, Readable.toWeb(Readable.from(file())) as ReadableStream)
    expect(sent).toBeGreaterThan(10_000_000)
    expect([status, body.imported, body.skipped_count]).toEqual([200, chats, 0])
    expect(await contentOf(ana, body.ids[9])).toBe(large)

    const exported = await fetch(`${app.url}/api/v1/chats/all`, { headers: bearer(ana.token) })
    const bytes = Buffer.from(await exported.arrayBuffer())
    // Each message is written once.
    expect(bytes.length).toBeGreaterThan(10 * large.length)
    expect(bytes.length).toBeLessThan(11 * large.length)
    const again = await send(bob, bytes)
    expect(again.body).toMatchObject({ imported: chats, skipped_count: 0 })
    const contents = await Promise.all(again.body.ids.slice(0, 10).map((id: string) => contentOf(bob, id)))
    expect(new Set(contents)).toEqual(new Set([large]))
  }, 120_000)
})

it('reads a file no further that is not an export', async () => {
  const ana = await app.user()
  const { status, body } = await send(ana, `[${'{},'.repeat(50_000)}{}]`)
  expect([status, body.code]).toEqual([422, 'history_invalid'])
  const one = await send(ana, `[${'{},'.repeat(5000)}{}]`)
  expect([one.status, one.body.skipped_count, one.body.skipped.length]).toEqual([200, 5001, 1000])
  const { body: stored } = await ana.get(`/api/v1/chats/imports/${one.body.import_id}`)
  expect(stored).toMatchObject({ status: 'finished', imported: 0, skipped_count: 5001 })
})
