import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#test/harness/app.ts'
import { processed, uploadBytes, uploadText } from '#test/harness/files.ts'
import type { Person } from '#test/harness/people.ts'
import { countTextUnscoped, deleteFilesUnscoped, listFilesUnscoped } from './queries/files.ts'

let app: TestApp
let ana: Person
let ben: Person
beforeAll(async () => {
  app = await testApp({ env: { FILE_MAX_SIZE_MB: '1' } })
  ana = await app.user({ org: 'acme' })
  ben = await app.user({ org: 'other' })
})

const now = 'process_in_background=false'
const frames = (text: string) =>
  text
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: '))
    .map((frame) => JSON.parse(frame.slice(6)))

describe('an upload', () => {
  it('is answered at once with its id, then processed in the background', async () => {
    const { status, body } = await uploadText(ana, 'The lighthouse keeper counts ships.', { name: 'ships.txt' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      user_id: ana.id,
      filename: 'ships.txt',
      hash: createHash('sha256').update('The lighthouse keeper counts ships.').digest('hex'),
      data: { status: 'pending' },
      meta: { name: 'ships.txt', content_type: 'text/plain', size: 35 },
    })
    expect(await processed(ana, body.id)).toEqual({ status: 'completed' })
    const text = await ana.get(`/api/v1/files/${body.id}/data/content`)
    expect(text.body).toEqual({ content: 'The lighthouse keeper counts ships.' })
  })

  it('is answered when it is processed with process_in_background=false, also when that fails', async () => {
    const fine = await uploadText(ana, 'Ready.', { query: now })
    expect(fine.body.data).toEqual({ status: 'completed' })
    const empty = await uploadText(ana, '   ', { query: now })
    expect(empty.body.data).toEqual({ status: 'failed', error: 'The file contains no text.' })
    expect((await ana.get(`/api/v1/files/${empty.body.id}/process/status`)).body).toEqual({
      status: 'failed',
      error: 'The file contains no text.',
    })
  })

  it('is only stored with process=false, and can be processed later', async () => {
    const { body } = await uploadText(ana, 'Later.', { query: 'process=false' })
    expect(body.data).toEqual({})
    expect((await ana.get(`/api/v1/files/${body.id}/process/status`)).body).toEqual({ status: 'pending' })
    expect((await ana.post(`/api/v1/files/${body.id}/process`)).body.data).toEqual({ status: 'pending' })
    expect(await processed(ana, body.id)).toEqual({ status: 'completed' })
  })

  it('is not processed any more once that is cancelled, until somebody asks for it again', async () => {
    const { body } = await uploadText(ana, 'Never mind.', { query: 'process=false' })
    const path = `/api/v1/files/${body.id}/process`
    await sql`update files set state = 'pending', is_claimed = true, lease_until = now() + interval '1 hour'
      where id = ${body.id}`.execute(app.db)
    const cancelled = { status: 'failed', error: 'Processing was cancelled.' }
    for (let time = 0; time < 2; time += 1) expect((await ana.post(`${path}/cancel`)).body.data).toEqual(cancelled)
    expect((await ana.get(`${path}/status`)).body).toEqual(cancelled)
    await ana.post(path)
    expect(await processed(ana, body.id)).toEqual({ status: 'completed' })
  })

  it('is refused when it is larger than the limit, has no file, or a query it does not know', async () => {
    expect((await uploadBytes(ana, Buffer.alloc(1_100_000, 97))).body.code).toBe('file_too_large')
    const form = new Request('http://x/', { method: 'POST', body: new FormData() })
    const headers = { 'content-type': form.headers.get('content-type') ?? '' }
    const none = await ana.send('POST', '/api/v1/files/', { body: new Uint8Array(await form.arrayBuffer()), headers })
    expect(none.status).toBeGreaterThanOrEqual(400)
    expect((await uploadText(ana, 'x', { query: 'process=perhaps' })).status).toBe(422)
  })

  it('counts towards the plan, and is refused where the plan is full', async () => {
    const org = await app.user({ org: 'full' })
    const owner = await app.platformOwner()
    await owner.patch(`/api/admin/organizations/${org.organizationId}`, { limits: { storageBytes: 100 } })
    expect((await uploadText(org, 'x'.repeat(60), { query: now })).status).toBe(200)
    const second = await uploadText(org, 'x'.repeat(60), { query: now })
    expect(second).toMatchObject({ status: 409, body: { code: 'plan_limit_reached' } })
    const { rows } = await sql<{ count: number }>`
      select count(*) from files where organization_id = ${org.organizationId}`.execute(app.db)
    expect(rows[0]?.count).toBe(1)
  })
})

describe('A27: names of uploads', () => {
  it.each(['../../x', '..%2f..%2fetc', 'C:\\x', '.htaccess', `${'n'.repeat(4096)}.txt`, 'invoice\u202etxt.exe'])(
    'are only shown: %s',
    async (name) => {
      const { status, body } = await uploadText(ana, 'a name', { name, query: now })
      expect(status).toBe(200)
      expect(body.filename).not.toMatch(/[/\\\u202e]/u)
      expect(body.filename.length).toBeLessThan(300)
      const row = await app.db.selectFrom('files').select('blobKey').where('id', '=', body.id).executeTakeFirstOrThrow()
      expect(row.blobKey).toMatch(/^uploads\/[0-9a-f-]{36}$/)
    },
  )
})

describe('A27: a name with a NUL', () => {
  it('is refused', async () => {
    expect(await uploadText(ana, 'a name', { name: 'a\0.txt' })).toMatchObject({ status: 400 })
  })
})

describe('A28: a body that imitates an uploaded file', () => {
  it('is refused by its content type', async () => {
    const forged = { file: { filepath: '/etc/passwd', originalFilename: 'passwd', path: '/etc/passwd' } }
    expect((await ana.post('/api/v1/files/', forged)).status).toBe(415)
  })
})

describe('A29: a form of a million parts', () => {
  it.each([
    ['files', 'name="file"; filename="a"', 413, 'too_many_files'],
    ['fields', 'name="metadata"', 422, 'validation_failed'],
    ['unknown fields', 'name="x"', 422, 'validation_failed'],
  ])('is refused at the first part too many: %s', async (_what, disposition, status, code) => {
    const part = `--b\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n{}\r\n`
    const parts = Buffer.from(part.repeat(1000))
    let sent = 0
    const body = new ReadableStream({
      pull: (stream) => {
        sent += 1
        if (sent > 1000) stream.close()
        else stream.enqueue(parts)
      },
    })
    const headers = { authorization: `Bearer ${ana.token}`, 'content-type': 'multipart/form-data; boundary=b' }
    const request = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
    const reply = await fetch(`${app.url}/api/v1/files/`, request)
    expect(reply.status).toBe(status)
    expect(await reply.json()).toMatchObject({ code })
  })
})

describe('A29: a body that is compressed, once or twice', () => {
  it('is refused, and never unfolded', async () => {
    const once = gzipSync(JSON.stringify({ chat: { title: 'x'.repeat(1_000_000) } }))
    for (const [body, encoding] of [
      [once, 'gzip'],
      [gzipSync(once), 'gzip, gzip'],
    ] as const) {
      const headers = { 'content-type': 'application/json', 'content-encoding': encoding }
      const { status } = await ana.send('POST', '/api/v1/chats/new', { body: new Uint8Array(body), headers })
      expect([400, 415]).toContain(status)
    }
  })
})

describe('A30: scripts in uploads', () => {
  it.each([
    ['page.html', 'text/html', '<!doctype html><html><body><script>alert(1)</script>words</body></html>'],
    ['image.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    [
      'data.xml',
      'text/xml',
      '<?xml version="1.0"?><x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>',
    ],
    ['picture.png', 'image/png', '<!doctype html><html><body><script>alert(1)</script>words</body></html>'],
    ['file.pdf', 'application/pdf', '%PDF-1.4\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj'],
  ])('%s is downloaded or inert, sandboxed and never sniffed', async (name, type, content) => {
    const { body } = await uploadBytes(ana, content, { name, type, query: 'process=false' })
    const { headers } = await ana.get(`/api/v1/files/${body.id}/content`)
    const isInert = headers.get('content-type')?.startsWith('text/plain')
    if (!isInert) expect(headers.get('content-disposition')).toMatch(/^attachment/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain('sandbox')
  })
})

describe('the content of a file', () => {
  it('comes whole or as a range', async () => {
    const { body } = await uploadText(ana, '0123456789', { query: 'process=false' })
    const path = `/api/v1/files/${body.id}/content`
    expect((await ana.get(path)).text).toBe('0123456789')
    const part = await ana.get(path, { range: 'bytes=2-4' })
    expect(part).toMatchObject({ status: 206, text: '234' })
    expect(part.headers.get('content-range')).toBe('bytes 2-4/10')
    expect((await ana.get(`${path}?attachment=true`)).headers.get('content-disposition')).toMatch(/^attachment/)
  })
})

describe('the status as a stream', () => {
  it('ends with the final status', async () => {
    const { body } = await uploadText(ana, 'Streamed.')
    const { headers, text } = await ana.get(`/api/v1/files/${body.id}/process/status?stream=true`)
    expect(headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(frames(text).at(-1)).toEqual({ status: 'completed' })
    for (const frame of frames(text).slice(0, -1)) expect(frame.status).toBe('pending')
  })

  it('tells how far it is, like the plain status, to people who look while it is processed', async () => {
    const { body } = await uploadText(ana, 'Slow.', { query: 'process=false' })
    const progress = { stage: 'embedding', done: 3, total: 9 }
    await sql`update files set state = 'pending', is_claimed = true, lease_until = now() + interval '1 hour',
      progress = ${JSON.stringify(progress)} where id = ${body.id}`.execute(app.db)
    const path = `/api/v1/files/${body.id}/process/status`
    expect((await ana.get(path)).body).toEqual({ status: 'pending', progress })
    const leaving = new AbortController()
    const headers = { authorization: `Bearer ${ana.token}` }
    const reply = await fetch(`${app.url}${path}?stream=true`, { headers, signal: leaving.signal })
    const first = await reply.body?.getReader().read()
    expect(frames(Buffer.from(first?.value ?? []).toString())).toEqual([{ status: 'pending', progress }])
    leaving.abort()
  })
})

describe('a file of somebody else', () => {
  it('A04: is not found, its status neither, plain or streamed', async () => {
    const { body } = await uploadText(ana, 'private words', { query: now })
    for (const path of ['', '/content', '/data/content', '/process/status', '/process/status?stream=true']) {
      const reply = await ben.get(`/api/v1/files/${body.id}${path}`)
      expect(reply.status).toBe(404)
      expect(reply.text).not.toContain('private')
    }
    expect((await ben.delete(`/api/v1/files/${body.id}`)).status).toBe(404)
  })
})

describe('the list', () => {
  it('shows the caller their own files, newest first, and finds them by name', async () => {
    const eva = await app.user()
    for (const name of ['first.txt', 'second_1.txt', 'third.txt'])
      await uploadText(eva, 'x', { name, query: 'process=false' })
    const { body } = await eva.get('/api/v1/files/?limit=2')
    expect(body.total).toBe(3)
    expect(body.items.map(({ filename }: { filename: string }) => filename)).toEqual(['third.txt', 'second_1.txt'])
    expect((await eva.get('/api/v1/files?search=second_1')).body.total).toBe(1)
    expect((await eva.get('/api/v1/files?status=failed')).body.total).toBe(0)
  })
})

describe('deleting a file', () => {
  it('deletes its row, its text and its bytes', async () => {
    const { body } = await uploadText(ana, 'short-lived', { query: now })
    const { blobKey } = await app.db
      .selectFrom('files')
      .select('blobKey')
      .where('id', '=', body.id)
      .executeTakeFirstOrThrow()
    expect((await ana.delete(`/api/v1/files/${body.id}`)).status).toBe(204)
    expect((await ana.get(`/api/v1/files/${body.id}`)).status).toBe(404)
    const texts = await app.db.selectFrom('fileTexts').select('fileId').where('fileId', '=', body.id).execute()
    expect(texts).toEqual([])
    const released = async () =>
      (await app.db.selectFrom('unownedBlobs').select('isDiscarded').where('key', '=', blobKey).executeTakeFirst())
        ?.isDiscarded ?? true
    expect(await released()).toBe(true)
  })
})

it('files are found by more ids than a statement takes parameters', async () => {
  const { id } = (await uploadText(ana, 'one of many')).body
  const unknown = Array.from({ length: 70_000 }, () => app.unknownId())
  expect(await listFilesUnscoped(app.db, [...unknown, id])).toMatchObject([{ id }])
  expect(await countTextUnscoped(app.db, unknown)).toBe(0)
  expect(await deleteFilesUnscoped(app.db, unknown)).toEqual([])
})
