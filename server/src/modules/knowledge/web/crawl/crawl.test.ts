/** Crawls of a site that the test controls, from the API to what a question finds. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Clock } from '#kernel/clock.ts'
import { createLog } from '#kernel/log.ts'
import { type TestApp, testApp } from '#test/harness/app.ts'
import { createTestClock } from '#test/harness/clock.ts'
import { retryNow } from '#test/harness/jobs.ts'
import type { Person } from '#test/harness/people.ts'
import { startSite, type WebSite } from '#test/peers/site.ts'
import { createCrawlSweep } from '../../jobs.ts'

const text = 'This paragraph is long enough for a reader mode to take it seriously, with several commas, like this. '
const html = (title: string, links: string[]) =>
  `<!doctype html><title>${title}</title><article><h1>${title}</h1>${`<p>About ${title}. ${text}</p>`.repeat(4)}</article>
   ${links.map((link) => (link.startsWith('<') ? link : `<a href="${link}">${link}</a>`)).join(' ')}`

/** The content of each path of the site; a promise is waited for, and nothing ends the connection. */
const pages = new Map<string, string | Promise<string>>()
let site: WebSite
let other: WebSite
let app: TestApp
let ana: Person
/** Thrown by the next page that is stored, and by the pages after it as often as `crashes` says. */
let crash: Error | undefined
let crashes = 1
/** Files that the sweep would delete if the process died before a page is deleted. */
let provisional: number | undefined
beforeAll(async () => {
  site = await startSite(async ({ path }, response) => {
    const body = await pages.get(path)
    if (body === undefined) return void response.writeHead(404).end('no')
    if (body === '') return void response.destroy()
    if (body.startsWith('/')) return void response.writeHead(302, { location: body }).end()
    response.writeHead(200, { 'content-type': path.endsWith('.txt') ? 'text/plain' : 'text/html' }).end(body)
  })
  other = await startSite((_request, response) => response.end('elsewhere'))
  const hit = async (name: string) => {
    if (name === 'crawl: page not kept') provisional = (await unkept()).length
    const problem = crash
    if (name !== 'crawl: page stored' || !problem) return
    crashes -= 1
    if (crashes === 0) crash = undefined
    throw problem
  }
  const hosts = `127.0.0.1:${site.port},127.0.0.1:${other.port}`
  const env = { OUTBOUND_ALLOWED_HOSTS: hosts, RAG_EMBEDDING_ENGINE: 'none' }
  app = await testApp({ env, timings: { crawlDelayMs: 0 }, failpoints: { hit } })
  ana = await app.user({ org: 'acme' })
})
afterAll(() => Promise.all([site.close(), other.close()]))

const setPages = (given: Record<string, string | Promise<string>>) => {
  pages.clear()
  for (const [path, body] of Object.entries(given)) pages.set(path, body)
  site.requests.length = 0
}
const unkept = () => app.db.selectFrom('files').select('id').where('provisionalUntil', 'is not', null).execute()
const create = async (more: object = {}) =>
  (await ana.post('/api/v1/knowledge/create', { name: 'Site', description: '', ...more })).body.id as string
const start = (id: string, more: object = {}, person = ana) =>
  person.post(`/api/v1/knowledge/${id}/crawls`, { url: `${site.origin}/`, ...more })
const latest = async (id: string) => (await ana.get(`/api/v1/knowledge/${id}/crawls`)).body.items[0]
const ended = async (id: string) => {
  await expect.poll(async () => (await latest(id)).state, { timeout: 20_000 }).not.toBe('running')
  return latest(id)
}
const namesIn = async (id: string) =>
  (await ana.get(`/api/v1/knowledge/${id}`)).body.files.map(({ filename }: { filename: string }) => filename).sort()

describe('a crawl', () => {
  it('adds the pages of the same site, as deep and as many as allowed, and heeds robots.txt', async () => {
    setPages({
      '/robots.txt': 'User-agent: Chancery\nDisallow: /private',
      '/': html('Home', [
        '/a',
        '/moved',
        'b?x=1#part',
        '/a#again',
        '/private',
        '/photo.jpg',
        `${other.origin}/x`,
        'mailto:a@b.c',
      ]),
      '/a': html('Alpha', ['/deep', '<a rel="nofollow" href="/unfollowed">no</a>', '/gone']),
      '/b?x=1': html('Beta', []),
      '/deep': html('Deep', ['/deeper']),
      '/private': html('Private', []),
      '/moved': '/private',
      '/unfollowed': html('Unfollowed', []),
    })
    const id = await create()
    const begun = await start(id, { depth: 2 })
    expect(begun).toMatchObject({ status: 202, body: { state: 'running', url: `${site.origin}/`, collection_id: id } })
    expect(await ended(id)).toMatchObject({
      state: 'completed',
      pages: { waiting: 0, added: 4, skipped: 1, failed: 1 },
      problems: [
        { url: `${site.origin}/moved`, reason: expect.stringContaining('robots.txt') },
        { url: `${site.origin}/gone`, reason: expect.stringContaining('404') },
      ],
    })
    expect(await namesIn(id)).toEqual(['Alpha', 'Beta', 'Deep', 'Home'])
    expect(site.requests.map(({ path }) => path).sort()).toEqual(
      ['/', '/a', '/b?x=1', '/deep', '/gone', '/moved', '/private', '/robots.txt'].sort(),
    )
    expect(site.requests.every(({ headers }) => headers['user-agent']?.startsWith('Chancery/'))).toBe(true)
    expect(other.requests).toEqual([])
    const found = await ana.post('/api/v1/retrieval/query/collection', { collection_names: [id], query: 'Beta' })
    expect(found.body.metadatas[0][0].source).toBe(`${site.origin}/b?x=1`)
  })

  it('doesn’t wait for crawls of another tenant whose sites hang', async () => {
    const { promise: hanging, resolve: release } = Promise.withResolvers<string>()
    setPages({ '/slow': hanging, '/': html('Home', []) })
    const eve = await app.user()
    for (let count = 0; count < 4; count += 1) {
      const { id } = (await eve.post('/api/v1/knowledge/create', { name: 'Slow', description: '' })).body
      expect((await start(id, { url: `${site.origin}/slow` }, eve)).status).toBe(202)
    }
    await expect.poll(() => site.requests.some(({ path }) => path === '/slow')).toBe(true)
    const id = await create()
    await start(id)
    expect((await ended(id)).pages).toMatchObject({ added: 1 })
    expect(site.requests.filter(({ path }) => path === '/slow')).toHaveLength(1)
    release('')
    const running = async () => (await eve.get('/api/v1/retrieval/crawls')).body.items.length
    await expect.poll(running).toBe(0)
  })

  it('stops at its number of pages, and replaces the pages of an earlier one', async () => {
    setPages({ '/': html('Home', ['/a', '/b', '/c']), '/a': html('Alpha', []), '/b': html('Beta', []) })
    const id = await create()
    await start(id, { max_pages: 2 })
    expect((await ended(id)).pages).toEqual({ waiting: 0, added: 2, skipped: 0, failed: 0 })
    const files = (await ana.get('/api/v1/files/')).body.total
    pages.set('/a', html('Alpha the second', []))
    await start(id, { max_pages: 2 })
    await ended(id)
    expect(await namesIn(id)).toEqual(['Alpha the second', 'Home'])
    expect((await ana.get('/api/v1/files/')).body.total).toBe(files)
  })

  it.each([
    ['can’t be read', {}, 'status 404'],
    [
      'is not allowed by robots.txt',
      { '/robots.txt': 'User-agent: *\nDisallow: /', '/': html('Home', []) },
      "robots.txt doesn't allow it",
    ],
    ['is on a site whose robots.txt is out of reach', { '/robots.txt': '', '/': html('Home', []) }, "couldn't read"],
  ])('fails with a sentence where its first page %s', async (_why, given, sentence) => {
    setPages(given)
    const id = await create()
    await start(id)
    expect(await ended(id)).toMatchObject({ state: 'failed', error: expect.stringContaining(sentence) })
    expect(await namesIn(id)).toEqual([])
  })

  it('runs once per collection, shows in the activity of its person, and adds nothing once it is stopped', async () => {
    const late = Promise.withResolvers<string>()
    setPages({ '/': html('Home', ['/a', '/b']), '/a': late.promise, '/b': html('Beta', []) })
    const id = await create()
    await start(id)
    await expect.poll(() => site.requests.map(({ path }) => path)).toContain('/a')
    expect(await start(id)).toMatchObject({ status: 409, body: { code: 'crawl_running' } })
    expect((await ana.get('/api/v1/retrieval/crawls')).body.items).toMatchObject([{ collection_id: id }])
    const cancelled = await ana.post(`/api/v1/knowledge/${id}/crawls/cancel`)
    expect(cancelled.body).toMatchObject({ state: 'cancelled', pages: { added: 1, waiting: 2 } })
    expect((await ana.get('/api/v1/retrieval/crawls')).body.items).toEqual([])
    const files = (await ana.get('/api/v1/files/')).body.total
    provisional = undefined
    late.resolve(html('Alpha', []))
    await expect.poll(() => provisional).toBe(1)
    await start(id, { max_pages: 1 })
    await ended(id)
    expect(await namesIn(id)).toEqual(['Home'])
    await expect.poll(async () => (await ana.get('/api/v1/files/')).body.total).toBe(files)
    expect((await ana.post(`/api/v1/knowledge/${id}/crawls/cancel`)).status).toBe(404)
  })

  it('goes on after a crash: the page under way is repeated, nothing is added twice', async () => {
    setPages({ '/': html('Home', ['/a']), '/a': html('Alpha', []) })
    const id = await create()
    const files = (await ana.get('/api/v1/files/')).body.total
    ;[crash, crashes] = [new Error('The process died.'), 1]
    const { body: crawl } = await start(id)
    await retryNow(app.db, 'knowledge.crawl', { crawlId: crawl.id })
    expect((await ended(id)).pages).toEqual({ waiting: 0, added: 2, skipped: 0, failed: 0 })
    expect(await namesIn(id)).toEqual(['Alpha', 'Home'])
    expect((await ana.get('/api/v1/files/')).body.total).toBe(files + 2)
    expect(await unkept()).toEqual([])
  })

  it('goes on without a page that fails each time, and says so; a crawl never stays running', async () => {
    const late = Promise.withResolvers<string>()
    setPages({ '/': html('Home', ['/a', '/b']), '/a': late.promise, '/b': html('Beta', []) })
    const id = await create()
    const { body: crawl } = await start(id)
    await expect.poll(() => site.requests.map(({ path }) => path)).toContain('/a')
    ;[crash, crashes] = [new Error('A bug.'), 2]
    late.resolve(html('Alpha', []))
    await retryNow(app.db, 'knowledge.crawl', { crawlId: crawl.id })
    expect(await ended(id)).toMatchObject({
      state: 'completed',
      pages: { waiting: 0, added: 2, skipped: 0, failed: 1 },
      problems: [{ url: `${site.origin}/a`, reason: expect.stringContaining('on our side') }],
    })
    expect(await namesIn(id)).toEqual(['Beta', 'Home'])
  })

  it('is forgotten a month after it ended; its pages stay', async () => {
    setPages({ '/': html('Home', []) })
    const id = await create()
    await start(id)
    await ended(id)
    const sweep = (clock: Clock) => {
      const attempt = { jobId: 'by hand', attempt: 1, signal: AbortSignal.timeout(60_000), log: createLog('silent') }
      return createCrawlSweep({ db: app.db, clock }).work({}, attempt)
    }
    await sweep(app.clock)
    expect(await latest(id)).toMatchObject({ state: 'completed' })
    await sweep(createTestClock(31 * 86_400_000))
    expect(await latest(id)).toBeUndefined()
    expect(await namesIn(id)).toEqual(['Home'])
  })

  it('is only for those who may change the collection, and only for web addresses', async () => {
    const reader = await app.user({ org: 'acme' })
    const stranger = await app.user({ org: 'other' })
    const id = await create({
      access_grants: [{ principal_type: 'user', principal_id: reader.id, permission: 'read' }],
    })
    expect((await start(id, {}, reader)).status).toBe(403)
    expect((await start(id, {}, stranger)).status).toBe(404)
    expect((await reader.post(`/api/v1/knowledge/${id}/crawls/cancel`)).status).toBe(403)
    expect((await start(id, { url: 'file:///etc/passwd' })).body.code).toBe('outbound_blocked')
    expect((await start(id, { url: 'http://user:word@127.0.0.1/' })).body.code).toBe('outbound_blocked')
    expect((await start(id, { depth: 6 })).status).toBe(422)
  })

  it('takes turns with others: large sites hold up nobody', async () => {
    const many = Array.from({ length: 60 }, (_, index) => `/large/${index}`)
    setPages({ '/large': html('Large', many), '/small': html('Small', []) })
    for (const path of many) pages.set(path, html(path, []))
    const large = [await create(), await create()]
    for (const id of large) await start(id, { url: `${site.origin}/large`, max_pages: 60 })
    const small = await create()
    await start(small, { url: `${site.origin}/small` })
    expect(await ended(small)).toMatchObject({ state: 'completed', pages: { added: 1 } })
    for (const id of large)
      expect((await ana.post(`/api/v1/knowledge/${id}/crawls/cancel`)).body).toMatchObject({ state: 'cancelled' })
  })
})
