import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { bearer } from '#test/harness/client.ts'
import { password } from '#test/harness/people.ts'
import { rawBytes, rawRequest } from '#test/harness/raw.ts'
import { sharedApp } from '#test/harness/shared-app.ts'

const app = await sharedApp()
const ana = await app.user()

const data = ['/health', '/api/auth/me', '/api/nothing', '/api/auth/nothing', '/%']

describe('what every answer tells the browser', () => {
  it.each([...data, '/sign-in'])('is strict at %s', async (path) => {
    const { headers } = await rawRequest(app.url, { path })
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
    expect(String(headers['content-security-policy']).split('; ')).toContain("frame-ancestors 'none'")
    expect(headers['x-powered-by']).toBeUndefined()
    expect(headers.server).toBeUndefined()
  })

  it.each(data)('lets the data at %s load nothing at all', async (path) => {
    const { headers } = await rawRequest(app.url, { path })
    expect(String(headers['content-security-policy']).split('; ')).toContain("default-src 'none'")
  })

  it('lets a page load from here only, and be framed by nobody', async () => {
    const { headers } = await rawRequest(app.url, { path: '/sign-in' })
    expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'cross-origin-opener-policy': 'same-origin' })
    const policy = String(headers['content-security-policy']).split('; ')
    for (const rule of ["default-src 'self'", "script-src 'self' blob:", "object-src 'none'"])
      expect(policy).toContain(rule)
  })

  it('names the request, and says the same name in an error', async () => {
    const first = await app.anonymous.get('/api/auth/me', { 'x-request-id': 'chosen-by-the-client' })
    const second = await app.anonymous.get('/api/auth/me')
    expect(first.headers.get('x-request-id')).toBe(first.body.request_id)
    expect(first.body.request_id).not.toBe('chosen-by-the-client')
    expect(second.body.request_id).not.toBe(first.body.request_id)
  })

  it.each(['/api/auth/me', '/%61pi/auth/me', '/api/auth/m%65', '/api/nothing', '/oauth/x', '/sso/x', '/ws/x'])(
    'forbids caching at %s',
    async (path) => {
      const reply = await rawRequest(app.url, { path, headers: bearer(ana.token) })
      expect(reply.headers['cache-control']).toBe('no-store')
    },
  )

  it('forbids caching a token, by whichever route it is handed out', async () => {
    const login = await app.newcomer().post('/api/auth/login', { email: ana.email, password })
    expect(login.status).toBe(200)
    expect(login.headers.get('cache-control')).toBe('no-store')
  })

  it('allows no other site: no CORS header for any origin, method or preflight', async () => {
    const origin = { origin: 'https://evil.test', 'access-control-request-method': 'POST' }
    for (const [method, path] of [
      ['GET', '/api/auth/me'],
      ['POST', '/api/auth/login'],
      ['OPTIONS', '/api/auth/login'],
      ['OPTIONS', '/api/v1/api-keys'],
      ['GET', '/health'],
    ] as const) {
      const { headers } = await app.newcomer().send(method, path, { headers: { ...origin, ...bearer(ana.token) } })
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
  })
})

describe('what a caller writes into headers', () => {
  it('never becomes a header of ours (A39)', async () => {
    const tricks = ['%0d%0aset-cookie:%20x=1', '%0aset-cookie:x', '%E5%98%8A%E5%98%8Dset-cookie:x', '%00']
    for (const trick of tricks)
      for (const path of [`/api/auth/${trick}`, `/${trick}`, `/api/auth/resolve-login-mode?email=${trick}`]) {
        const reply = await rawRequest(app.url, { path })
        expect(reply.headers['set-cookie']).toBeUndefined()
      }
  })

  it('is refused when it holds a bare line break or a NUL, or smuggles a second request', async () => {
    const head = 'GET /health HTTP/1.1\r\nhost: x\r\n'
    const broken = [
      `${head}x-a: a\rb\r\n\r\n`,
      `${head}x-a: a\0b\r\n\r\n`,
      `${head}x a: b\r\n\r\n`,
      'POST /api/auth/login HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      'POST /api/auth/login HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\ncontent-length: 5\r\n\r\n{}{}',
      'GET /health HTTP/9.9\r\n\r\n',
      'not http at all\r\n\r\n',
    ]
    for (const bytes of broken) {
      const reply = await rawBytes(app.url, bytes)
      expect(reply).toMatch(/^HTTP\/1\.1 400 /)
      expect(reply.match(/HTTP\/1\.1/g)).toHaveLength(1)
    }
  })

  it('ends as one line in the session list, whatever the device calls itself', async () => {
    const odd = { 'user-agent': `Firefox/1 "><script> \u00e9 ${'x'.repeat(5000)}` }
    const login = await app.newcomer().post('/api/auth/login', { email: ana.email, password }, odd)
    expect(login.status).toBe(200)
    const [row] = await app.db
      .selectFrom('sessions')
      .select('userAgent')
      .where('userAgent', 'like', 'Firefox/1 ">%')
      .execute()
    expect(row?.userAgent).toHaveLength(400)
    expect((await ana.get('/api/auth/sessions')).text).not.toContain('<script>')
  })
})

describe('the login cookie', () => {
  const attributes = (cookie: string | null) => (cookie ?? '').split('; ').slice(1)

  it('is Secure, HttpOnly and Lax unless told otherwise', async () => {
    const strict = await testApp({ env: { SVC_AUTH_COOKIE_SECURE: '' } })
    const person = { name: 'C', email: 'c@example.test', password }
    const reply = await strict.anonymous.post('/api/auth/register', person)
    const flags = attributes(reply.headers.get('set-cookie'))
    for (const flag of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/']) expect(flags).toContain(flag)
    expect(flags.some((flag) => flag.startsWith('Domain'))).toBe(false)
    await strict.stop()
  })

  it('is set by every sign-in method and by no refusal', async () => {
    const right = await app.newcomer().post('/api/auth/login', { email: ana.email, password })
    expect(right.headers.get('set-cookie')).toContain(right.body.token)
    const wrong = await app.newcomer().post('/api/auth/login', { email: ana.email, password: 'no' })
    expect(wrong.headers.get('set-cookie')).toBeNull()
  })
})
