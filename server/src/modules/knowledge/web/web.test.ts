import { globSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { PDF } from '@libpdf/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Actor } from '#kernel/http/actor.ts'
import { createLog } from '#kernel/log.ts'
import { createOutbound } from '#kernel/outbound/index.ts'
import type { Files } from '#modules/files/index.ts'
import { type TestApp, testApp } from '#test/harness/app.ts'
import type { Person } from '#test/harness/people.ts'
import { type Answer, startSite, type WebSite } from '#test/peers/site.ts'
import { fetchPage } from './fetch-page.ts'

/** The answer of each address of the site. */
const pages = new Map<string, Answer>()
const page = (
  path: string,
  body: string | Uint8Array,
  headers: Record<string, string> = { 'content-type': 'text/html' },
) => pages.set(path, (_request, response) => void response.writeHead(200, headers).end(body))

let site: WebSite
/** Plays the private network. */
let secret: WebSite
let app: TestApp
let ana: Person
let stranger: Person
beforeAll(async () => {
  site = await startSite((request, response) => {
    const answer = pages.get(request.path)
    if (answer) answer(request, response)
    else response.writeHead(404).end('no')
  })
  secret = await startSite((_request, response) => response.end('the secret'), '127.0.0.2')
  app = await testApp({ env: { OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${site.port}` } })
  ana = await app.user({ org: 'acme' })
  stranger = await app.user({ org: 'other' })
})
afterAll(() => Promise.all([site.close(), secret.close()]))

const article = (title: string, text: string) =>
  `<!doctype html><html><head><title>${title}</title></head><body><nav>Home About</nav><article><h1>${title}</h1>
   ${`<p>${text} This paragraph is long enough for a reader mode to take it seriously, with several commas, like this.</p>`.repeat(4)}
   </article><footer>Imprint</footer></body></html>`
const process = (
  person: Person,
  path: string,
  { query = '', ...more }: { query?: string; collection_name?: string } = {},
) =>
  person.post(`/api/v1/retrieval/process/web${query}`, {
    url: path.startsWith('/') ? site.origin + path : path,
    ...more,
  })
const search = async (person: Person, name: string, query: string): Promise<string> => {
  const { body } = await person.post('/api/v1/retrieval/query/collection', { collection_names: [name], query, k: 20 })
  return (body.documents?.[0] ?? []).join(' ')
}

describe('a web page', () => {
  it('is only read with process=false: nothing is stored', async () => {
    page('/read', article('Tides', 'High water comes at six.'))
    const { status, body } = await process(ana, '/read', { query: '?process=false' })
    expect(status).toBe(200)
    expect(body).toEqual({ status: true, content: expect.stringContaining('High water comes at six.') })
    expect(body.content).not.toMatch(/Home About|Imprint/)
    expect((await ana.get('/api/v1/files/')).body.total).toBe(0)
    expect((await ana.get('/api/v1/knowledge/')).body.total).toBe(0)
    expect(site.requests.at(-1)?.headers['user-agent']).toMatch(/^Chancery/)
  })

  it('goes into a collection whose name is made from the address, and is cited with it', async () => {
    page('/tides', article('Tides', 'Low water comes at noon.'))
    const { body } = await process(ana, '/tides')
    expect(body).toMatchObject({
      status: true,
      collection_name: expect.stringMatching(/^web-127\.0\.0\.1-[0-9a-f]{16}$/),
      filename: `${site.origin}/tides`,
      file: {
        data: { content: expect.stringContaining('Low water') },
        meta: { name: 'Tides', source: `${site.origin}/tides` },
      },
    })
    expect((await process(ana, '/tides')).body.collection_name).toBe(body.collection_name)
    const asked = { collection_names: [body.collection_name], query: 'low water' }
    const reply = await ana.post('/api/v1/retrieval/query/collection', asked)
    expect(reply.body.metadatas[0][0]).toMatchObject({ source: `${site.origin}/tides`, name: 'Tides' })
  })

  it('replaces what the collection held, or is added with overwrite=false', async () => {
    page('/one', article('One', 'About apricots.'))
    page('/two', article('Two', 'About bananas.'))
    page('/three', article('Three', 'About cherries.'))
    const into = { collection_name: 'Fruit' }
    await process(ana, '/one', into)
    await process(ana, '/two', into)
    expect(await search(ana, 'Fruit', 'apricots bananas cherries')).not.toContain('apricots')
    await process(ana, '/three', { ...into, query: '?overwrite=false' })
    const all = await search(ana, 'Fruit', 'apricots bananas cherries')
    expect(all).toContain('bananas')
    expect(all).toContain('cherries')
    // The page that was replaced is gone, not left behind as a file.
    const names = (await ana.get('/api/v1/files/')).body.items.map((file: { filename: string }) => file.filename)
    expect(names).not.toContain('One')
  })

  it('that cannot be fetched or read leaves the collection as it was', async () => {
    page('/good', article('Good', 'About dates.'))
    page('/empty', '<!doctype html><html><body></body></html>')
    page('/image', Buffer.from('\x89PNG\r\n\x1a\n0000', 'latin1'), { 'content-type': 'image/png' })
    const into = { collection_name: 'Kept' }
    await process(ana, '/good', into)
    const files = (await ana.get('/api/v1/files/')).body.total
    for (const path of ['/missing', '/empty', '/image']) {
      const reply = await process(ana, path, into)
      expect(reply).toMatchObject({ status: 400, body: { code: 'page_not_readable' } })
    }
    expect((await process(ana, 'http://127.0.0.1:1/', into)).status).toBeGreaterThanOrEqual(400)
    expect(await search(ana, 'Kept', 'dates')).toContain('About dates.')
    expect((await ana.get('/api/v1/files/')).body.total).toBe(files)
  })

  it('is decoded by its charset, and may be a PDF', async () => {
    const russian = Buffer.from('<html><body><p>\xcf\xf0\xe8\xe2\xe5\xf2</p></body></html>', 'latin1')
    page('/russian', russian, { 'content-type': 'text/html; charset=windows-1251' })
    expect((await process(ana, '/russian', { query: '?process=false' })).body.content).toBe('Привет')
    const pdf = PDF.create()
    pdf.addPage({ size: 'a4' }).drawText('A printed notice.', { x: 50, y: 700 })
    page('/notice.pdf', await pdf.save(), { 'content-type': 'text/html' })
    expect((await process(ana, '/notice.pdf', { query: '?process=false' })).body.content).toBe('A printed notice.')
  })
})

describe('A05: a collection of somebody else', () => {
  it('is refused as a target, whatever overwrite says, and stays as it was', async () => {
    page('/evil', article('Evil', 'Replaced by a stranger.'))
    const { body } = await ana.post('/api/v1/knowledge/create', { name: 'Mine', description: '' })
    page('/mine', article('Mine', 'About elderberries.'))
    await process(ana, '/mine', { collection_name: body.id })
    const before = site.requests.length
    for (const query of ['?overwrite=true', '?overwrite=false'])
      expect((await process(stranger, '/evil', { collection_name: body.id, query })).status).toBe(404)
    expect(site.requests.length).toBe(before)
    // A name is one of the caller's own collections, so this makes a new one.
    expect((await process(stranger, '/evil', { collection_name: 'Mine' })).status).toBe(200)
    const text = await search(ana, body.id, 'elderberries stranger')
    expect(text).toContain('elderberries')
    expect(text).not.toContain('stranger')
  })
})

describe('A21: addresses that must not be reached', () => {
  it('are refused with one code, and nobody is asked', async () => {
    const { port } = secret
    const hosts = [
      '127.0.0.2',
      '2130706434',
      '0x7f000002',
      '0x7f.0.0.2',
      '0177.0.0.2',
      '127.2',
      '0',
      '0.0.0.0',
      'localhost',
      'localhost.',
    ]
    const six = [
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.2]',
      '[::ffff:7f00:2]',
      '[64:ff9b::127.0.0.2]',
      '[2002:7f00:2::]',
      '[fc00::1]',
      '[fe80::1]',
      '[fec0::1]',
    ]
    const networks = [
      '10.0.0.1',
      '172.16.0.1',
      '192.168.0.1',
      '169.254.169.254',
      '100.64.0.1',
      '192.0.0.1',
      '198.18.0.1',
      '224.0.0.1',
      '255.255.255.255',
    ]
    const urls = [
      ...[...hosts, ...six, ...networks].map((host) => `http://${host}:${port}/`),
      `http://user:pw@127.0.0.2:${port}/`,
      `http://example.com\\@127.0.0.2:${port}/`,
      `http://127.0.0.2\t:${port}/`,
      `http://１２７.0.0.2:${port}/`,
      'file:///etc/passwd',
      'gopher://127.0.0.2/',
      'ftp://127.0.0.2/',
      'data:text/plain,x',
      'http://example.com:22/',
      'http://example.com:25/',
      'javascript:alert(1)',
      `http://127.0.0.2:${port}\r\nX: y/`,
    ]
    for (const url of urls) {
      const { body } = await process(ana, url, { query: '?process=false' })
      expect({ url, code: body.code }).toEqual({ url, code: 'outbound_blocked' })
    }
    expect(secret.connections()).toBe(0)
  })
})

describe('A22: redirects', () => {
  it.each([301, 302, 303, 307, 308])(
    'of status %i into the private network are not followed, at any hop',
    async (status) => {
      const to = (path: string, location: string) =>
        pages.set(path, (_request, response) => void response.writeHead(status, { location }).end())
      to('/hop1', `${secret.origin}/`)
      to('/hop2', '/hop1')
      to('/hop3', '/hop2')
      for (const path of ['/hop1', '/hop2', '/hop3'])
        expect((await process(ana, path, { query: '?process=false' })).body.code).toBe('outbound_blocked')
      page(
        '/refresh',
        `<html><head><meta http-equiv="refresh" content="0;url=${secret.origin}/"></head><body>here</body></html>`,
      )
      expect((await process(ana, '/refresh', { query: '?process=false' })).body.content).toBe('here')
      expect(secret.connections()).toBe(0)
    },
  )
})

describe('A23: a name that leads elsewhere the second time', () => {
  it('is connected to where it was checked, and refused when any of its addresses is private', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1', '127.0.0.2']]
    const lookup = async () => answers.shift() ?? ['127.0.0.2']
    const mayReach = (address: string) => address === '127.0.0.1'
    const outbound = createOutbound({ allowedHosts: [], log: createLog('silent'), lookup, mayReach })
    const files = { extract: async () => ({ content: 'read', marks: [], kind: 'text', title: '' }) } as unknown as Files
    const fetch = () =>
      fetchPage(
        { files, outbound },
        {
          actor: { id: ana.id, organizationId: null } as Actor,
          signal: new AbortController().signal,
          url: `http://rebind.example:${site.port}/read`,
        },
      )
    expect((await fetch()).text.content).toBe('read')
    await outbound.close()
    const again = createOutbound({ allowedHosts: [], log: createLog('silent'), lookup, mayReach })
    const context = { actor: { id: ana.id, organizationId: null } as Actor, signal: new AbortController().signal }
    for (let time = 0; time < 3; time += 1)
      await expect(
        fetchPage({ files, outbound: again }, { ...context, url: `http://rebind.example:${secret.port}/` }),
      ).rejects.toMatchObject({ code: 'outbound_blocked' })
    await again.close()
    expect(secret.connections()).toBe(0)
  })
})

describe('A24: other ways out', () => {
  it('do not exist in the modules that read files, pages and speech', () => {
    const folder = new URL('../../', import.meta.url).pathname
    const sources = globSync('{audio,files,images,knowledge,memory}/**/*.ts', { cwd: folder }).filter(
      (name) => !name.endsWith('.test.ts'),
    )
    expect(sources.length).toBeGreaterThan(40)
    for (const name of sources) {
      const text = readFileSync(folder + name, 'utf8')
      const calls = text.match(/(?<!outbound\.)(?<![\w.])fetch\(|node:https?'|http\.request|net\.connect|axios|undici/g)
      expect({ name, calls }).toEqual({ name, calls: null })
    }
  })
})

describe('A25: pages without an end', () => {
  it('are cut at 10 MB, also when they unfold from little', async () => {
    pages.set('/endless', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      const piece = Buffer.alloc(262_144, 'x')
      const more = () => {
        while (!response.destroyed && response.write(piece));
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    })
    expect((await process(ana, '/endless', { query: '?process=false' })).body.code).toBe('outbound_too_large')
    const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024, 'x'))
    page('/bomb', bomb, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
    expect((await process(ana, '/bomb', { query: '?process=false' })).body.code).toBe('outbound_too_large')
  })
})
