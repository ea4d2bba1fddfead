import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Kernel } from '#kernel/kernel.ts'
import { type Door, startDoor } from '#test/harness/door.ts'
import { createVictim } from '#test/harness/failpoints.ts'
import { type S3Peer, startS3 } from '#test/peers/s3.ts'
import type { HttpCall } from '../route.ts'
import { route } from '../route.ts'

const path = '/api/public/upload'
const Fields = z.strictObject({ title: z.string().min(1).max(40).optional(), outcome: z.string().optional() })
type Fields = z.infer<typeof Fields>

const replyOf = ({ files }: HttpCall, body: Fields) => ({
  title: body.title ?? null,
  files: files.map(({ key, name, size, sha256, type, claimedType }) => ({
    key,
    name,
    size,
    sha256,
    type,
    claimedType,
  })),
})

/** As a module would do it: claims in the transaction of its own row, or fails in one of many ways. */
const act = (kernel: Kernel, body: Fields, { files }: HttpCall): Promise<void> =>
  kernel.db.transaction().execute(async (tx) => {
    if (body.outcome === 'leave') return
    for (const file of files) {
      await file.claim(tx)
      await sql`insert into kept (key) values (${file.key})`.execute(tx)
    }
    if (body.outcome === 'fail') throw new Error('the handler failed')
  })

const public_ = {
  method: 'POST',
  access: 'public',
  writes: { reachesOthers: false, whenReadOnly: 'refused' },
  summary: 'For this test.',
} as const
const Anything = z.record(z.string(), z.unknown())
const routes = (kernel: Kernel) => [
  route({
    ...public_,
    path,
    body: Fields,
    reply: Anything,
    upload: { maxBytes: 1_000_000, maxFiles: 2 },
    handle: async ({ body, http }) => {
      await act(kernel, body, http)
      return replyOf(http, body)
    },
  }),
  route({
    ...public_,
    path: '/api/public/pdf',
    reply: Anything,
    status: 201,
    upload: { maxBytes: 1000, types: ['application/pdf', 'text/plain'], field: 'document' },
    handle: async ({ http }) => replyOf(http, {}),
  }),
  route({
    ...public_,
    path: '/api/public/large',
    reply: Anything,
    upload: { maxBytes: 500_000_000 },
    handle: async ({ http }) => replyOf(http, {}),
  }),
]

let s3: S3Peer
beforeAll(async () => {
  s3 = await startS3()
})
afterAll(() => s3.close())

const prepare = async (door: Door): Promise<Door> => {
  await sql`create table kept (key text primary key)`.execute(door.kernel.db)
  return door
}
const unownedKeys = async ({ kernel }: Door) =>
  (await kernel.db.selectFrom('unownedBlobs').select('key').execute()).map(({ key }) => key)
const keptKeys = async ({ kernel }: Door) =>
  (await sql<{ key: string }>`select key from kept`.execute(kernel.db)).rows.map(({ key }) => key)

type Entry = [name: string, value: string | Blob, fileName?: string]
const formOf = (entries: Entry[]): FormData => {
  const form = new FormData()
  for (const [name, value, fileName] of entries)
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, value, fileName)
  return form
}
const post = async (door: Door, entries: Entry[], to = path) => {
  const reply = await fetch(door.url + to, { method: 'POST', body: formOf(entries) })
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server sent
  return { status: reply.status, body: (await reply.json()) as any }
}
const blob = (bytes: string | Uint8Array, type = '') => new Blob([bytes as BlobPart], { type })

/** A body written by hand; `~` stands for a line break. */
const raw = async (door: Door, body: string | Buffer, type = 'multipart/form-data; boundary=x', to = path) => {
  const reply = await fetch(door.url + to, {
    method: 'POST',
    body: (typeof body === 'string' ? body.replaceAll('~', '\r\n') : body) as BodyInit,
    headers: { 'content-type': type },
  })
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server sent
  return { status: reply.status, body: (await reply.json()) as any }
}

const stores: [string, () => Promise<{ door: Door; stored(): Promise<string[]> }>][] = [
  [
    'a folder',
    async () => {
      const door = await prepare(await startDoor({ routes }))
      return { door, stored: door.storedFiles }
    },
  ],
  [
    'an S3-compatible store',
    async () => {
      const { endpoint: S3_ENDPOINT, bucket: S3_BUCKET, region: S3_REGION } = s3
      const keys = { S3_ACCESS_KEY_ID: s3.accessKeyId, S3_SECRET_ACCESS_KEY: s3.secretAccessKey }
      const door = await prepare(await startDoor({ routes, env: { S3_ENDPOINT, S3_BUCKET, S3_REGION, ...keys } }))
      return { door, stored: async () => [...s3.objects.keys(), ...(await door.storedFiles())] }
    },
  ],
]

describe.each(stores)('an upload to %s', (_name, open) => {
  let door: Door
  let stored: () => Promise<string[]>
  beforeAll(async () => {
    ;({ door, stored } = await open())
  })
  const nothingNew = async (before: string[]) => {
    await expect.poll(stored).toEqual(before)
    await expect.poll(() => unownedKeys(door)).toEqual([])
  }

  it('is stored as it comes, measured, and stays once it is claimed', async () => {
    const bytes = randomBytes(700_000)
    const reply = await post(door, [
      ['title', 'Two files'],
      ['file', blob(bytes, 'application/x-odd; v=1'), 'one.bin'],
      ['file', blob('%PDF-1.7 …', 'text/html'), 'two.pdf'],
    ])
    expect(reply).toMatchObject({ status: 200, body: { title: 'Two files' } })
    const [one, two] = reply.body.files
    expect(one).toMatchObject({ name: 'one.bin', size: 700_000, claimedType: 'application/x-odd' })
    expect(one.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
    expect(two).toMatchObject({ name: 'two.pdf', type: 'application/pdf', claimedType: 'text/html' })
    expect(await keptKeys(door)).toEqual(expect.arrayContaining([one.key, two.key]))
    expect(await unownedKeys(door)).toEqual([])
    door.clock.forward({ days: 2 })
    await door.sweep()
    const kept = await door.kernel.blobs.get(one.key)
    expect(kept?.size).toBe(700_000)
    kept?.stream.destroy()
  })

  it.each(['leave', 'fail'])('leaves nothing when the handler does not keep it: %s', async (outcome) => {
    const before = await stored()
    const reply = await post(door, [
      ['file', blob('some text'), 'a.txt'],
      ['outcome', outcome],
    ])
    expect(reply.status).toBe(outcome === 'fail' ? 500 : 200)
    await nothingNew(before)
  })

  it('leaves nothing when the client goes away half-way', async () => {
    const before = await stored()
    const socket = connect(Number(new URL(door.url).port), '127.0.0.1')
    socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 900000\r\n`)
    socket.write('content-type: multipart/form-data; boundary=x\r\n\r\n')
    socket.write('--x\r\ncontent-disposition: form-data; name="file"; filename="half"\r\n\r\n')
    socket.write(randomBytes(300_000))
    await expect.poll(() => unownedKeys(door)).toHaveLength(1)
    socket.destroy()
    await nothingNew(before)
  })

  it('leaves nothing of the first file when the second is too large', async () => {
    const before = await stored()
    const reply = await post(door, [
      ['file', blob('small'), 'a'],
      ['file', blob(Buffer.alloc(1_000_001)), 'b'],
    ])
    expect(reply).toMatchObject({ status: 413, body: { code: 'file_too_large' } })
    await nothingNew(before)
  })
})

describe('the upload door', () => {
  let door: Door
  beforeAll(async () => {
    door = await prepare(await startDoor({ routes }))
  })
  afterEach(async () => {
    expect(await unownedKeys(door)).toEqual([])
    expect(await door.storedFiles()).toEqual([])
  })
  const leave: Entry = ['outcome', 'leave']
  const part = '--x~content-disposition: form-data; name="file"; filename="a.txt"~~'

  it.each([
    ['application/json', '{"file":{"filepath":"/etc/passwd","originalFilename":"x","size":1},"files":[{"key":"a"}]}'],
    ['application/x-www-form-urlencoded', 'file=/etc/passwd'],
    ['text/plain', 'x'],
    ['multipart/mixed; boundary=x', `${part}text~--x--~`],
    ['multipart/form-data-x; boundary=x', `${part}text~--x--~`],
  ])('takes nothing but a form: %s is 415', async (type, body) => {
    expect(await raw(door, body, type)).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } })
  })

  it.each([
    ['has no boundary', `${part}text~--x--~`, 'multipart/form-data'],
    ['has an empty boundary', `${part}text~--x--~`, 'multipart/form-data; boundary=""'],
    ['has another boundary than it says', `${part}text~--x--~`, 'multipart/form-data; boundary=y'],
    ['ends without its last boundary', `${part}text~`],
    ['ends within a boundary', `${part}text~--x-`],
    ['ends within a head', '--x~content-disposition: form-data; na'],
    ['is empty', ''],
    ['has something before its first boundary', `hello~${part}text~--x--~`],
    ['has a part without a head', '--x~~~text~--x--~'],
    ['has a part without a name', '--x~content-disposition: form-data; filename="a"~~text~--x--~'],
    ['has a part that says its name twice', '--x~content-disposition: form-data; name="file"; name="title"~~t~--x--~'],
    ['has a part with a header twice', `--x~content-disposition: form-data; name="title"~${part.slice(4)}t~--x--~`],
    ['has a part that is an attachment', '--x~content-disposition: attachment; name="file"; filename="a"~~t~--x--~'],
    ['has an encoded part', `${part.slice(0, -1)}content-transfer-encoding: base64~~dGV4dA==~--x--~`],
    ['has a head that is too long', `--x~x-odd: ${'x'.repeat(20_000)}~${part.slice(4)}t~--x--~`],
  ])('refuses a form that %s', async (_name, body, type?: string) => {
    expect(await raw(door, body, type)).toMatchObject({ status: 400, body: { code: 'invalid_multipart' } })
  })

  it.each<[string, Entry[], string]>([
    ['without a file', [['title', 'x']], 'file'],
    ['with text in place of the file', [['file', 'x']], 'file'],
    ['with a file in place of text', [['title', blob('x'), 'x']], 'title'],
    [
      'with a field twice',
      [
        ['title', 'x'],
        ['title', 'y'],
      ],
      'title',
    ],
    ['with a field that the route has not', [['role', 'x']], 'role'],
    ['with a field that every object has', [['constructor', 'x']], 'constructor'],
    [
      'with a field that is not valid',
      [
        ['file', blob('x'), 'x'],
        ['title', 'x'.repeat(41)],
      ],
      'title',
    ],
  ])('refuses a form %s, and says where', async (_name, entries, field) => {
    const reply = await post(door, entries)
    expect(reply).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', detail: [{ loc: ['body', field] }] },
    })
  })

  it('refuses too many files, too long a field, and too much in all, before it has read them', async () => {
    const one: Entry = ['file', blob('x'), 'x']
    expect(await post(door, [one, one, one])).toMatchObject({ status: 413, body: { code: 'too_many_files' } })
    const long: Entry = ['outcome', 'x'.repeat(70_000)]
    expect(await post(door, [long, one])).toMatchObject({ status: 413, body: { code: 'body_too_large' } })
    const large: Entry = ['file', blob(Buffer.alloc(3_000_000)), 'x']
    expect(await post(door, [large])).toMatchObject({ status: 413, body: { code: 'body_too_large' } })
  })

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['..%2f..%2fx', '..%2f..%2fx'],
    ['C:\\Users\\x\\report.pdf', 'report.pdf'],
    ['..', 'file'],
    ['.htaccess', '.htaccess'],
    ['a\u202Egpj.exe', 'agpj.exe'],
    ['Zürich – 報告.pdf', 'Zürich – 報告.pdf'],
    ['quote".pdf', 'quote".pdf'],
    [`${'é'.repeat(2000)}.pdf`, `${'é'.repeat(125)}.pdf`],
  ])('keeps the name %j as something to show only', async (given, shown) => {
    const { body } = await post(door, [['file', blob('x'), given], leave])
    expect(body.files).toMatchObject([{ name: shown, key: expect.stringMatching(/^uploads\/[0-9a-f-]{36}$/) }])
  })

  it('reads names as old and as odd clients write them, and no line of their own', async () => {
    const head = (name: string) => `--x~content-disposition: form-data; name=file; ${name}~~t~--x~`
    const then = 'content-disposition: form-data; name="outcome"~~leave~--x--~'
    for (const [name, shown] of [
      ['filename=plain.txt', 'plain.txt'],
      ['filename=""', 'file'],
      ['filename="a\\"b.txt"', 'a"b.txt'],
      ['filename="old"; filename*=utf-8\'\'na%C3%AFve.txt', 'naïve.txt'],
      ['filename="a%0D%0Aset-cookie: x"', 'aset-cookie: x'],
    ] as const)
      expect((await raw(door, head(name) + then)).body.files).toMatchObject([{ name: shown, size: 1 }])
    expect(await raw(door, head("filename*=utf-8''%ff") + then)).toMatchObject({ status: 400 })
    expect(
      await raw(door, Buffer.from(`${head('filename="\xff"')}${then}`.replaceAll('~', '\r\n'), 'latin1')),
    ).toMatchObject({ status: 400, body: { code: 'invalid_text' } })
  })

  it('goes by the content where a route names types', async () => {
    const to = '/api/public/pdf'
    expect(await post(door, [['document', blob('%PDF-1.4 x', 'image/png'), 'x.png']], to)).toMatchObject({
      status: 201,
      body: { files: [{ type: 'application/pdf' }] },
    })
    expect(await post(door, [['document', blob('plain', ''), 'x']], to)).toMatchObject({ status: 201 })
    const refused = { status: 415, body: { code: 'file_type_not_allowed' } }
    const png = blob(Buffer.from('89504e470d0a1a0a00', 'hex'), 'application/pdf')
    expect(await post(door, [['document', png, 'x.pdf']], to)).toMatchObject(refused)
    expect(await post(door, [['document', blob(''), 'empty.pdf']], to)).toMatchObject(refused)
  })

  it('takes an empty file, and bytes that look like a boundary', async () => {
    const tricky = Buffer.from('\r\n--\r\n------formdata\r\n--x\r\r\n-')
    const { body } = await post(door, [['file', blob(''), 'empty'], ['file', blob(tricky), 'tricky'], leave])
    expect(body.files).toMatchObject([{ size: 0 }, { size: tricky.length }])
    expect(body.files[1].sha256).toBe(createHash('sha256').update(tricky).digest('hex'))
  })

  it('can be used again on the connection on which it refused', async () => {
    const socket = connect(Number(new URL(door.url).port), '127.0.0.1').setEncoding('latin1')
    let replies = ''
    socket.on('data', (piece) => {
      replies += piece
    })
    const body = `${part}${'x'.repeat(400_000)}~--x~${part.slice(4)}t~--x~${part.slice(4)}t~--x--~`.replaceAll(
      '~',
      '\r\n',
    )
    const head = `content-type: multipart/form-data; boundary=x\r\ncontent-length: ${body.length}\r\n\r\n`
    socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\n${head}${body}`)
    await expect.poll(() => replies).toContain('too_many_files')
    socket.write('GET /health/none HTTP/1.1\r\nhost: x\r\n\r\n')
    await expect.poll(() => replies).toContain('404 Not Found')
    socket.destroy()
  })

  it('reads a slow sender to the end', async () => {
    const socket = connect(Number(new URL(door.url).port), '127.0.0.1').setEncoding('latin1')
    const body = `${part}slowly but surely~--x~${'content-disposition: form-data; name="outcome"'}~~leave~--x--~`
    const bytes = body.replaceAll('~', '\r\n')
    const length = `content-length: ${bytes.length}`
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=x\r\n${length}\r\n\r\n`,
    )
    for (const character of bytes) {
      socket.write(character)
      await new Promise(setImmediate)
    }
    const [reply] = (await once(socket, 'data')) as [string]
    expect(reply).toContain('"size":17')
    socket.destroy()
  })
})

describe('an upload that cannot be written as fast as it comes', () => {
  it('makes its sender wait, and nothing gathers in memory', async () => {
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const door = await startDoor({
      routes,
      failpoints: { hit: (point) => (point === 'blob: noted' ? held : undefined) },
    })
    let server: Socket | undefined
    door.http.once('connection', (socket: Socket) => {
      server = socket
    })
    const [pieces, piece] = [1000, randomBytes(65_536)]
    const client = connect(Number(new URL(door.url).port), '127.0.0.1').setEncoding('latin1')
    const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="large"\r\n\r\n'
    const tail = '\r\n--x--\r\n'
    const length = head.length + pieces * piece.length + tail.length
    const type = 'content-type: multipart/form-data; boundary=x'
    client.write(`POST /api/public/large HTTP/1.1\r\nhost: x\r\n${type}\r\ncontent-length: ${length}\r\n\r\n${head}`)
    const sending = (async () => {
      for (let count = 0; count < pieces; count += 1) if (!client.write(piece)) await once(client, 'drain')
      client.write(tail)
    })()
    await expect.poll(() => unownedKeys(door)).toHaveLength(1)
    // Whatever the sender does, the server has stopped reading.
    let [before, same] = [-1, 0]
    while (same < 5) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      same = server?.bytesRead === before ? same + 1 : 0
      before = server?.bytesRead ?? 0
    }
    expect(before).toBeLessThan(1_000_000)
    release()
    await sending
    const [reply] = (await once(client, 'data')) as [string]
    const hash = createHash('sha256')
    for (let count = 0; count < pieces; count += 1) hash.update(piece)
    expect(reply).toContain(hash.digest('hex'))
    client.destroy()
  })
})

describe('with several nodes', () => {
  it.each(['blob: noted', 'blob: stored', 'blob: checking claims', 'blob: discarding'])(
    'what a crash at "%s" left is swept by another node an hour later',
    async (point) => {
      const victim = createVictim()
      const door = await prepare(await startDoor({ routes, failpoints: victim }))
      const other = await startDoor({ routes, beside: door })
      victim.dieAt(point)
      const outcome: Entry = ['outcome', 'leave']
      await post(door, [['file', blob('left behind'), 'x'], outcome])
      expect(victim.isDead).toBe(true)
      expect(await unownedKeys(other)).toHaveLength(1)
      await other.sweep()
      // It might still be under way.
      expect(await unownedKeys(other)).toHaveLength(1)
      for (const _round of [1, 2]) {
        other.clock.forward({ minutes: 61 })
        await other.sweep()
        expect(await other.storedFiles()).toEqual([])
      }
      expect(await unownedKeys(other)).toEqual([])
    },
  )

  it('a sweep that dies half-way is finished by the next', async () => {
    for (const point of ['sweep: marked', 'sweep: deleted']) {
      const victim = createVictim()
      const door = await prepare(await startDoor({ routes, failpoints: victim }))
      const { key } = await door.kernel.blobs.stage(Buffer.from('nobody wants this'), { area: 'test' })
      door.clock.forward({ minutes: 61 })
      victim.dieAt(point)
      await door.sweep()
      victim.revive()
      await expect(door.kernel.blobs.claim(door.kernel.db, key)).rejects.toMatchObject({ code: 'upload_expired' })
      for (const _round of [1, 2]) {
        door.clock.forward({ minutes: 61 })
        await door.sweep()
      }
      expect(await door.storedFiles()).toEqual([])
      expect(await unownedKeys(door)).toEqual([])
    }
  })

  it('a claim that has not committed yet keeps the sweep away, and one that is rolled back does not', async () => {
    const door = await prepare(await startDoor({ routes }))
    const { blobs, db } = door.kernel
    const { key } = await blobs.stage(Buffer.from('mine'), { area: 'test' })
    door.clock.forward({ minutes: 61 })
    await expect(
      db.transaction().execute(async (tx) => {
        await blobs.claim(tx, key)
        await door.sweep()
        expect(await blobs.exists(key)).toBe(true)
        throw new Error('rolled back')
      }),
    ).rejects.toThrowError('rolled back')
    await door.sweep()
    expect(await blobs.exists(key)).toBe(false)
  })

  it('a slow upload is not swept while bytes come, and one that was swept is refused', async () => {
    const door = await prepare(await startDoor({ routes }))
    const { blobs, db } = door.kernel
    const slow = async function* () {
      for (let piece = 0; piece < 4; piece += 1) {
        yield Buffer.from('piece')
        door.clock.forward({ minutes: 40 })
        await door.sweep()
      }
    }
    const { key } = await blobs.stage(slow(), { area: 'test' })
    await blobs.claim(db, key)
    expect(await blobs.exists(key)).toBe(true)
    const stuck = async function* () {
      yield Buffer.from('piece')
      door.clock.forward({ minutes: 70 })
      await door.sweep()
      yield Buffer.from('too late')
    }
    await expect(blobs.stage(stuck(), { area: 'test' })).rejects.toMatchObject({ code: 'upload_expired' })
    expect(await door.storedFiles()).toHaveLength(1)
    expect(await unownedKeys(door)).toEqual([])
  })

  it('a released blob is deleted once its owner has committed', async () => {
    const door = await prepare(await startDoor({ routes }))
    const { blobs, db, jobs } = door.kernel
    jobs.register(blobs.jobs[0] as never)
    await jobs.start()
    const { key } = await blobs.stage(Buffer.from('mine'), { area: 'test' })
    await blobs.claim(db, key)
    await db.transaction().execute((tx) => blobs.release(tx, [key]))
    await expect.poll(() => blobs.exists(key), { timeout: 10_000 }).toBe(false)
    await expect.poll(() => unownedKeys(door)).toEqual([])
  })
})
