import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { bearer } from '#test/harness/client.ts'

const app = await testApp({ env: { SVC_URL: 'https://office.example.test/' } })
const ana = await app.user()
const here = new URL(app.url)

const rename = (headers: Record<string, string>) =>
  app.newcomer().patch('/api/auth/me', { name: 'Renamed' }, { cookie: `token=${ana.token}`, ...headers })

describe('a write with the cookie (A56)', () => {
  it.each([
    ['no Origin at all', {}],
    ['a foreign Origin', { origin: 'https://evil.test' }],
    ['an opaque Origin', { origin: 'null' }],
    ['our host as a prefix', { origin: `http://${here.host}.evil.test` }],
    ['our host as a user name', { origin: `http://${here.host}@evil.test` }],
    ['our host on another port', { origin: `http://${here.hostname}:1` }],
    ['our external name on another scheme', { origin: 'http://office.example.test' }],
    ['an empty Origin', { origin: '' }],
    ['a sister site', { 'sec-fetch-site': 'same-site' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['an address typed by hand', { 'sec-fetch-site': 'none' }],
    ['a foreign Origin that claims to be ours', { origin: 'https://evil.test', 'sec-fetch-site': 'same-origin' }],
    ['our Referer alone', { referer: `${here.origin}/settings` }],
  ])('is refused with %s', async (_what, headers) => {
    const reply = await rename(headers as Record<string, string>)
    expect(reply).toMatchObject({ status: 403, body: { code: 'origin_not_allowed' } })
    expect((await ana.get('/api/auth/me')).body.name).toBe('Ana Example')
  })

  it.each([
    ['our own Origin', { origin: here.origin }],
    ['our external Origin', { origin: 'https://office.example.test' }],
    ['Sec-Fetch-Site: same-origin', { 'sec-fetch-site': 'same-origin' }],
  ])('is accepted with %s', async (_what, headers) => {
    expect(await rename(headers as Record<string, string>)).toMatchObject({ status: 200, body: { name: 'Renamed' } })
    await ana.patch('/api/auth/me', { name: 'Ana Example' })
  })

  it.each(app.routes.filter(({ method, access }) => method !== 'GET' && access !== 'public'))(
    'needs the proof at $method $path',
    async ({ method, path, access }) => {
      const { token } = access === 'platformOwner' ? await app.platformOwner() : ana
      const cookie = { cookie: `token=${token}` }
      const target = path.replace(/:\w+/g, () => app.unknownId())
      const reply = await app.newcomer().send(method, target, { headers: { ...cookie, origin: 'https://evil.test' } })
      expect(reply).toMatchObject({ status: 403, body: { code: 'origin_not_allowed' } })
    },
  )

  it('asks no proof of a read', async () => {
    const cookie = { cookie: `token=${ana.token}`, origin: 'https://evil.test' }
    expect(await app.newcomer().get('/api/auth/me', cookie)).toMatchObject({ status: 200 })
  })

  it('asks no proof of a Bearer token, which no browser sends by itself', async () => {
    const headers = { ...bearer(ana.token), origin: 'https://evil.test' }
    expect(await app.newcomer().patch('/api/auth/me', { name: 'Ana Example' }, headers)).toMatchObject({ status: 200 })
  })

  it('cannot be slipped in as a form post from another site', async () => {
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x']) {
      const headers = { cookie: `token=${ana.token}`, origin: 'https://evil.test', 'content-type': type }
      const body = '{"email":"a@example.test","password":"x"}'
      expect(await app.newcomer().send('POST', '/api/auth/login', { headers, body })).toMatchObject({ status: 415 })
    }
  })
})
