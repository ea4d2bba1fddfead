import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { bearer } from '#test/harness/client.ts'
import { password } from '#test/harness/people.ts'

const app = await testApp()
/** Without a proxy in front of it, and with short sessions. */
const direct = await testApp({ env: { TRUSTED_PROXIES: '', JWT_EXPIRES_IN: '10m' } })

const login = (email: string, given: unknown, client = app.newcomer()) =>
  client.post('/api/auth/login', { email, password: given })

describe('signing in', () => {
  it('answers with a token that /me and /validate accept', async () => {
    const ana = await app.user()
    const reply = await login(` ${ana.email.toUpperCase()} `, password)
    expect(reply).toMatchObject({ status: 200, body: { tokenType: 'Bearer', user: { id: ana.id } } })
    const validate = await app.anonymous.get('/api/auth/validate', bearer(reply.body.token))
    expect(validate).toMatchObject({
      status: 200,
      body: { valid: true, expiresAt: reply.body.expiresAt, user: { id: ana.id } },
    })
  })

  it('puts exactly the documented claims into the token', async () => {
    const ana = await app.user({ org: 'claims' })
    const [header, claims] = ana.token
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
    expect(header).toEqual({ alg: 'HS256', typ: 'JWT' })
    expect(Object.keys(claims).sort()).toEqual(['exp', 'iat', 'jti', 'org', 'role', 'sub'])
    expect(claims).toMatchObject({ sub: ana.id, role: 'ROLE_ORG_ADMIN', org: ana.organizationId })
  })

  it('gives unknown, wrong, locked and deactivated one and the same answer', async () => {
    const [wrong, locked, gone] = await Promise.all([app.user(), app.user(), app.user()])
    const owner = await app.platformOwner()
    await owner.patch(`/api/admin/users/${gone.id}`, { status: 'DEACTIVATED' })
    const attacker = app.newcomer()
    for (let tries = 0; tries < 6; tries += 1) await login(locked.email, 'not this one', attacker)

    const replies = await Promise.all([
      login('nobody@example.test', password),
      login(wrong.email, 'not this one'),
      login(locked.email, password, attacker),
      login(gone.email, password),
    ])
    for (const { status, body, headers } of replies) {
      expect({ status, ...body, request_id: 'x' }).toEqual({
        status: 401,
        detail: 'The email or password is incorrect.',
        code: 'invalid_credentials',
        request_id: 'x',
      })
      expect(headers.get('set-cookie')).toBeNull()
      expect(headers.get('retry-after')).toBeNull()
    }
  })

  it('is never locked for the owner by a stranger elsewhere', async () => {
    const ana = await app.user()
    const stranger = app.newcomer()
    for (let tries = 0; tries < 12; tries += 1) await login(ana.email, 'guess', stranger)
    expect(await login(ana.email, password, stranger)).toMatchObject({ status: 401 })
    expect(await login(ana.email, password)).toMatchObject({ status: 200 })
  })

  it('opens again at the locked address after the delay, and forgets the failures after a success', async () => {
    const ana = await app.user()
    const home = app.newcomer()
    for (let tries = 0; tries < 6; tries += 1) await login(ana.email, 'forgot it', home)
    expect(await login(ana.email, password, home)).toMatchObject({ status: 401 })
    app.clock.forward({ minutes: 1 })
    expect(await login(ana.email, password, home)).toMatchObject({ status: 200 })
    for (let tries = 0; tries < 4; tries += 1) await login(ana.email, 'typo', home)
    expect(await login(ana.email, password, home)).toMatchObject({ status: 200 })
  })

  it('does not believe an address that a stranger forwards', async () => {
    const ana = await direct.user()
    for (let tries = 0; tries < 6; tries += 1) await login(ana.email, 'guess', direct.newcomer())
    expect(await login(ana.email, password, direct.newcomer())).toMatchObject({ status: 401 })
  })

  it('tells every byte of a long password apart, beyond the 72 that BCrypt reads', async () => {
    const long = 'x1'.repeat(36)
    const register = { name: 'L', email: 'long@example.test', password: `${long}a` }
    expect(await app.anonymous.post('/api/auth/register', register)).toMatchObject({ status: 201 })
    expect(await login('long@example.test', `${long}b`)).toMatchObject({ status: 401 })
    expect(await login('long@example.test', long)).toMatchObject({ status: 401 })
    expect(await login('long@example.test', `${long}a`)).toMatchObject({ status: 200 })
  })

  it('reads a password typed in the other Unicode form as the same', async () => {
    const register = { name: 'U', email: 'unicode@example.test', password: 'Grüße aus Málaga' }
    await app.anonymous.post('/api/auth/register', register)
    expect(await login('unicode@example.test', register.password.normalize('NFD'))).toMatchObject({ status: 200 })
  })

  it('answers NATIVE for every address, known or not', async () => {
    const ana = await app.user()
    for (const email of [ana.email, 'nobody@example.test', 'no address at all'])
      expect(await app.anonymous.get(`/api/auth/resolve-login-mode?email=${encodeURIComponent(email)}`)).toMatchObject({
        status: 200,
        body: { mode: 'NATIVE' },
      })
  })
})

describe('signing out and revocation', () => {
  it('ends the token at once, here and on another node', async () => {
    const other = await testApp({ databaseUrl: app.databaseUrl })
    const ana = await app.user()
    expect(await other.anonymous.get('/api/auth/me', bearer(ana.token))).toMatchObject({ status: 200 })
    expect(await ana.post('/api/auth/logout')).toMatchObject({ status: 204, text: '' })
    expect(await ana.get('/api/auth/me')).toMatchObject({ status: 401, body: { code: 'not_authenticated' } })
    await expect.poll(async () => (await other.anonymous.get('/api/auth/me', bearer(ana.token))).status).toBe(401)
    await other.stop()
  })

  it('clears the cookie', async () => {
    const ana = await app.user()
    const reply = await ana.post('/api/auth/logout')
    expect(reply.headers.get('set-cookie')).toMatch(/^token=; Max-Age=0; Path=\/; Expires=Thu, 01 Jan 1970/)
  })

  it('lists the sessions with device and address, and ends another one', async () => {
    const ana = await app.user()
    const firefox = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0' }
    const second = await app.newcomer().post('/api/auth/login', { email: ana.email, password }, firefox)
    const list = await ana.get('/api/auth/sessions')
    expect(list.body.sessions).toHaveLength(2)
    const other = list.body.sessions.find((session: { current: boolean }) => !session.current)
    expect(other).toMatchObject({ device: 'Firefox on Windows', ip: expect.stringMatching(/^10\./) })
    expect(await ana.delete(`/api/auth/sessions/${other.id}`)).toMatchObject({ status: 204 })
    expect(await app.anonymous.get('/api/auth/me', bearer(second.body.token))).toMatchObject({ status: 401 })
    expect(await ana.delete(`/api/auth/sessions/${other.id}`)).toMatchObject({ status: 404 })
  })

  it("does not end a stranger's session: it looks the same as one that never was", async () => {
    const [ana, bob] = await Promise.all([app.user(), app.user()])
    const { body } = await ana.get('/api/auth/sessions')
    const foreign = await bob.delete(`/api/auth/sessions/${body.sessions[0].id}`)
    const unknown = await bob.delete(`/api/auth/sessions/${app.unknownId()}`)
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' })
    expect(foreign.status).toBe(404)
    expect(await ana.get('/api/auth/me')).toMatchObject({ status: 200 })
  })

  it('ends by itself when its time is up', async () => {
    const ana = await direct.user()
    expect(await ana.get('/api/auth/me')).toMatchObject({ status: 200 })
    direct.clock.forward({ minutes: 11 })
    expect(await ana.get('/api/auth/me')).toMatchObject({ status: 401 })
  })

  it('never ends with JWT_EXPIRES_IN=-1', async () => {
    const endless = await testApp({ env: { JWT_EXPIRES_IN: '-1' }, databaseUrl: app.databaseUrl })
    const ana = await endless.user()
    endless.clock.forward({ days: 4000 })
    expect(await ana.get('/api/auth/validate')).toMatchObject({ status: 200, body: { expiresAt: null } })
    await endless.stop()
  })
})
