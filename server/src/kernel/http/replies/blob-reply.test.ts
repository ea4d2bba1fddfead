import { connect } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Blobs } from '#kernel/blobs/index.ts'
import { type Door, startDoor } from '#test/harness/door.ts'
import { route } from '../route.ts'
import { replyWithBlob, type StoredFile } from './blob-reply.ts'

let file: StoredFile
let opened = 0
const counting = (blobs: Blobs): Pick<Blobs, 'get'> => ({
  get: (key, range) => {
    opened += 1
    return blobs.get(key, range)
  },
})

let door: Door
beforeAll(async () => {
  door = await startDoor({
    routes: ({ blobs }) =>
      [false, true].map((inline) =>
        route({
          method: 'GET',
          path: `/api/public/${inline ? 'shown' : 'file'}`,
          access: 'public',
          reply: 'raw',
          summary: 'For this test.',
          handle: async ({ http }) => replyWithBlob({ blobs: counting(blobs), http }, file, { inline }),
        }),
      ),
  })
  const stored = await door.kernel.blobs.stage(Buffer.from('abcdefghij'), { area: 'test' })
  file = { ...stored, name: 'Zürich "1".pdf', contentType: 'application/pdf' }
})

const get = async (headers: Record<string, string> = {}, { method = 'GET', path = '/api/public/file' } = {}) => {
  const reply = await fetch(door.url + path, { method, headers })
  return { status: reply.status, text: await reply.text(), headers: Object.fromEntries(reply.headers) }
}

describe('a stored file', () => {
  it('is answered as a download that a browser neither guesses at nor runs', async () => {
    expect(await get()).toMatchObject({
      status: 200,
      text: 'abcdefghij',
      headers: {
        'content-type': 'application/pdf',
        'content-length': '10',
        'content-disposition': `attachment; filename="Z_rich _1_.pdf"; filename*=UTF-8''Z%C3%BCrich%20%221%22.pdf`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringMatching(/default-src 'none'.*sandbox/),
        'cache-control': 'private, no-cache',
        'accept-ranges': 'bytes',
        etag: `"${file.sha256}"`,
      },
    })
  })

  it.each([
    ['image/png', 'inline'],
    ['text/plain', 'inline'],
    ['text/html', 'attachment'],
    ['image/svg+xml', 'attachment'],
    ['application/pdf', 'attachment'],
    ['application/xhtml+xml', 'attachment'],
    ['text/plain; charset=utf-7', 'attachment'],
  ])('of the type %s is shown only where that does no harm: %s', async (contentType, disposition) => {
    const before = file
    file = { ...file, contentType }
    const { headers } = await get({}, { path: '/api/public/shown' })
    file = before
    expect(headers['content-disposition']).toMatch(new RegExp(`^${disposition};`))
    expect(headers['content-security-policy']).toContain('sandbox')
  })

  it('writes no header of its own through its name', async () => {
    const before = file
    file = { ...file, name: 'a\r\nset-cookie: x=y\u0000\u202E".txt' }
    const { status, headers } = await get()
    file = before
    expect(status).toBe(200)
    expect(headers['set-cookie']).toBeUndefined()
    expect(headers['content-disposition']).toMatch(/^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''[\w%.-]*$/)
  })

  it.each([
    ['bytes=2-4', 'cde', '2-4'],
    ['bytes=7-', 'hij', '7-9'],
    ['bytes=-3', 'hij', '7-9'],
    ['bytes=-30', 'abcdefghij', '0-9'],
    ['bytes=8-500', 'ij', '8-9'],
  ])('answers the range %s', async (range, text, extent) => {
    const length = String(text.length)
    const headers = { 'content-range': `bytes ${extent}/10`, 'content-length': length }
    expect(await get({ range })).toMatchObject({ status: 206, text, headers })
  })

  it.each(['bytes=10-', 'bytes=99-100', 'bytes=-0'])('refuses the range %s', async (range) => {
    const reply = await get({ range })
    expect(reply).toMatchObject({ status: 416, headers: { 'content-range': 'bytes */10' } })
    expect(JSON.parse(reply.text)).toMatchObject({ code: 'range_not_satisfiable' })
  })

  it.each(['bytes=0-1,4-5', 'bytes=5-2', 'lines=1-2', 'bytes=a-b', 'bytes='])(
    'answers all of it where it does not know the range %s',
    async (range) => expect(await get({ range })).toMatchObject({ status: 200, text: 'abcdefghij' }),
  )

  it('goes on with a download only while the file is the same', async () => {
    const same = { range: 'bytes=5-', 'if-range': `"${file.sha256}"` }
    expect(await get(same)).toMatchObject({ status: 206, text: 'fghij' })
    const others = ['"another"', `W/"${file.sha256}"`, 'Sun, 15 Nov 2026 00:00:00 GMT']
    for (const other of others) expect(await get({ ...same, 'if-range': other })).toMatchObject({ status: 200 })
  })

  it('is not sent again to a browser that has it', async () => {
    const reply = await get({ 'if-none-match': `"another", "${file.sha256}"` })
    expect(reply).toMatchObject({ status: 304, text: '' })
    expect(await get({ 'if-none-match': '"another"' })).toMatchObject({ status: 200 })
  })

  it('tells its length to HEAD without being opened', async () => {
    const before = opened
    expect(await get({}, { method: 'HEAD' })).toMatchObject({
      status: 200,
      text: '',
      headers: { 'content-length': '10' },
    })
    expect(await get({ range: 'bytes=0-3' }, { method: 'HEAD' })).toMatchObject({
      status: 206,
      headers: { 'content-length': '4', 'content-range': 'bytes 0-3/10' },
    })
    expect(opened).toBe(before)
  })

  it('may be empty, and is a fault of ours when its bytes are gone', async () => {
    const before = file
    const empty = await door.kernel.blobs.stage(Buffer.alloc(0), { area: 'test' })
    file = { ...before, ...empty }
    expect(await get()).toMatchObject({ status: 200, text: '', headers: { 'content-length': '0' } })
    file = { ...before, key: 'test/none' }
    expect(await get()).toMatchObject({ status: 500 })
    file = before
  })

  it('is closed when its reader goes away half-way', async () => {
    const before = file
    const { blobs } = door.kernel
    const large = await blobs.stage(Buffer.alloc(30_000_000), { area: 'test' })
    file = { ...before, ...large }
    const socket = connect(Number(new URL(door.url).port), '127.0.0.1')
    socket.write('GET /api/public/file HTTP/1.1\r\nhost: x\r\n\r\n')
    await new Promise((resolve) => socket.once('data', resolve))
    const connections = () => new Promise((resolve) => door.http.getConnections((_problem, count) => resolve(count)))
    const open = Number(await connections())
    socket.destroy()
    await expect.poll(connections).toBe(open - 1)
    file = before
  })
})
