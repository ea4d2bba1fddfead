import { once } from 'node:events'
import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { bearer } from '#test/harness/client.ts'
import { countBlocked, isBlocked } from '#test/harness/locks.ts'
import { type Person, password } from '#test/harness/people.ts'

const app = await testApp()
const tokenIn = async (email: string, count = 1) =>
  new URL(`http://x${(await app.letterTo(email, count)).link()}`).searchParams.get('token') ?? ''
const verify = (token: string, by: Pick<Person, 'post'> = app.newcomer()) =>
  by.post('/api/auth/verify-email', { token })
const statusOf = async (token: string) => (await app.newcomer().get('/api/auth/me', bearer(token))).status
const signIn = (email: string, given: string) => app.newcomer().post('/api/auth/login', { email, password: given })
/** Somebody registers under this address and makes a key, and nobody knows yet whether the address is theirs. */
const unproven = async () => {
  const person = await app.user({ name: 'Pay at http://evil.test' })
  return { ...person, key: (await person.post('/api/v1/api-keys', { name: 'k' })).body.key as string }
}
const verified = async (person: Person) => (await person.get('/api/auth/me')).body.emailVerified

describe('proof of an email address', () => {
  it('comes by a mailed link that works once, and only the newest does', async () => {
    const ana = await app.user()
    expect(await verified(ana)).toBe(false)
    expect(await ana.post('/api/auth/resend-verification')).toMatchObject({ status: 202 })
    await ana.post('/api/auth/resend-verification')
    const [old, fresh] = [await tokenIn(ana.email), await tokenIn(ana.email, 2)]
    const refused = { status: 400, body: { code: 'invalid_verification_token' } }
    expect(await verify(old)).toMatchObject(refused)
    expect((await verify(fresh, ana)).status).toBe(204)
    expect(await verified(ana)).toBe(true)
    expect(await verify(fresh)).toMatchObject(refused)
    await ana.post('/api/auth/resend-verification')
    expect(app.lettersTo(ana.email)).toHaveLength(2)
  })

  it('ends every session, key and password from before when the reader of the link is not signed in', async () => {
    const squatter = await unproven()
    await squatter.post('/api/auth/resend-verification')
    expect((await verify(await tokenIn(squatter.email))).status).toBe(204)
    expect(await Promise.all([statusOf(squatter.token), statusOf(squatter.key)])).toEqual([401, 401])
    expect(await signIn(squatter.email, password)).toMatchObject({ status: 401 })
    await app.newcomer().post('/api/auth/forgot-password', { email: squatter.email })
    const chosen = 'the choice of the owner'
    await app.newcomer().post('/api/auth/reset-password', { token: await tokenIn(squatter.email, 2), password: chosen })
    expect((await signIn(squatter.email, chosen)).body.user).toMatchObject({ id: squatter.id, emailVerified: true })
  })

  it('lets the reader of the link choose the password', async () => {
    const squatter = await unproven()
    await squatter.post('/api/auth/resend-verification')
    const token = await tokenIn(squatter.email)
    const choose = (chosen: string) => app.newcomer().post('/api/auth/verify-email', { token, password: chosen })
    expect(await choose('short')).toMatchObject({ status: 422 })
    expect((await choose('the choice of the owner')).status).toBe(204)
    expect(await statusOf(squatter.token)).toBe(401)
    expect((await signIn(squatter.email, password)).status).toBe(401)
    expect((await signIn(squatter.email, 'the choice of the owner')).body.user.emailVerified).toBe(true)
  })

  it('keeps the session in which the link is opened and the password, but no other session and no key', async () => {
    const ana = await unproven()
    const elsewhere = (await signIn(ana.email, password)).body.token
    await ana.post('/api/auth/resend-verification')
    expect((await verify(await tokenIn(ana.email), ana)).status).toBe(204)
    expect(await Promise.all([ana.token, elsewhere, ana.key].map(statusOf))).toEqual([200, 401, 401])
    expect((await signIn(ana.email, password)).status).toBe(200)
  })

  it('ends requests that began before it too, however late their body comes', async () => {
    const squatter = await unproven()
    await squatter.post('/api/auth/resend-verification')
    const token = await tokenIn(squatter.email)
    const sent = request(new URL('/api/v1/api-keys', app.url), {
      method: 'POST',
      agent: false,
      headers: { ...bearer(squatter.token), 'content-type': 'application/json', expect: '100-continue' },
    })
    sent.flushHeaders()
    // By then the server has let the request in.
    await once(sent, 'continue')
    expect((await verify(token)).status).toBe(204)
    sent.end('{"name":"left behind"}')
    const [reply] = await once(sent, 'response')
    reply.resume()
    expect(reply.statusCode).toBe(401)
  })

  it.each(['reset link', 'sign-in code'])(
    'comes by a link or a %s that are used at once, and one is refused',
    async (kind) => {
      const ana = await unproven()
      await ana.patch('/api/auth/me', { loginOtp: true })
      await ana.post('/api/auth/resend-verification')
      const token = await tokenIn(ana.email)
      await app.newcomer().post('/api/auth/forgot-password', { email: ana.email })
      const reset = { token: await tokenIn(ana.email, 2), password }
      const { challengeId } = (await signIn(ana.email, password)).body
      const code = { challengeId, otp: (await app.letterTo(ana.email, 3)).code() }
      const [path, body] =
        kind === 'reset link' ? ['/api/auth/reset-password', reset] : ['/api/auth/verify-login-otp', code]
      const { using } = await app.db.transaction().execute(async (tx) => {
        await tx.selectFrom('users').select('id').where('id', '=', ana.id).forUpdate().execute()
        const using = Promise.all([verify(token), app.newcomer().post(path, body)])
        await expect.poll(() => countBlocked(app.db)).toBe(2)
        return { using }
      })
      const statuses = (await using).map(({ status }) => status)
      expect(statuses.filter((status) => status < 300)).toHaveLength(1)
      expect(statuses.filter((status) => status >= 500)).toEqual([])
    },
  )

  it('is waited for by a key that is just being made', async () => {
    const squatter = await unproven()
    const made = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('users').select('id').where('id', '=', squatter.id).forUpdate().execute()
      const making = squatter.post('/api/v1/api-keys', { name: 'left behind' })
      await expect.poll(() => isBlocked(app.db)).toBe(true)
      await tx.updateTable('sessions').set({ revokedAt: new Date() }).where('principalId', '=', squatter.id).execute()
      return { making }
    })
    expect(await made.making).toMatchObject({ status: 401, body: { code: 'not_authenticated' } })
  })

  it('does not take a session of somebody else, or a key of the account, for its owner', async () => {
    const [squatter, eve] = [await unproven(), await app.user()]
    await squatter.post('/api/auth/resend-verification')
    expect((await verify(await tokenIn(squatter.email), eve)).status).toBe(204)
    expect(await Promise.all([squatter.token, squatter.key, eve.token].map(statusOf))).toEqual([401, 401, 200])
    const other = await unproven()
    await other.post('/api/auth/resend-verification')
    const token = await tokenIn(other.email)
    await app.newcomer().post('/api/auth/verify-email', { token }, bearer(other.key))
    expect((await signIn(other.email, password)).status).toBe(401)
  })

  it('comes by a sign-in code too, which ends what was opened before it', async () => {
    const ana = await unproven()
    await ana.patch('/api/auth/me', { loginOtp: true })
    const { challengeId } = (await signIn(ana.email, password)).body
    const otp = (await app.letterTo(ana.email)).code()
    const signedIn = await app.newcomer().post('/api/auth/verify-login-otp', { challengeId, otp })
    expect(signedIn.body.user.emailVerified).toBe(true)
    expect(await Promise.all([ana.token, ana.key, signedIn.body.token].map(statusOf))).toEqual([401, 401, 200])
  })

  it('comes by a reset link too, but not for an address that the account got since', async () => {
    const [ana, moved] = [await unproven(), await app.user()]
    await app.newcomer().post('/api/auth/forgot-password', { email: ana.email })
    await app.newcomer().post('/api/auth/reset-password', { token: await tokenIn(ana.email), password })
    expect(await statusOf(ana.key)).toBe(401)
    expect((await signIn(ana.email, password)).body.user.emailVerified).toBe(true)

    await app.newcomer().post('/api/auth/forgot-password', { email: moved.email })
    const token = await tokenIn(moved.email)
    const email = `moved.${app.unknownId()}@example.test`
    await (await app.platformOwner()).patch(`/api/admin/users/${moved.id}`, { email })
    await app.newcomer().post('/api/auth/reset-password', { token, password })
    expect((await signIn(email, password)).body.user.emailVerified).toBe(false)
  })

  it('is asked for without a word of the person who registered', async () => {
    const squatter = await unproven()
    await squatter.post('/api/auth/resend-verification')
    await app.newcomer().post('/api/auth/forgot-password', { email: squatter.email })
    const letters = [await app.letterTo(squatter.email), await app.letterTo(squatter.email, 2)]
    expect(letters.map(({ text }) => text).join()).not.toMatch(/evil|Pay/)
  })

  it('is over after three days, and mailed three times an hour at most', async () => {
    const ana = await app.user()
    await ana.post('/api/auth/resend-verification')
    const token = await tokenIn(ana.email)
    await ana.post('/api/auth/resend-verification')
    await ana.post('/api/auth/resend-verification')
    expect(await ana.post('/api/auth/resend-verification')).toMatchObject({ status: 429 })
    app.clock.forward({ days: 3 })
    expect(await verify(token)).toMatchObject({ status: 400 })
    expect(await verify(await tokenIn(ana.email, 3))).toMatchObject({ status: 400 })
  })
})

describe('a platform admin', () => {
  it('gives an account another address, and the old one is free', async () => {
    const owner = await app.platformOwner()
    const [ana, ben] = [await app.user({ isProven: true }), await app.user()]
    const path = `/api/admin/users/${ana.id}`
    expect(await owner.patch(path, { email: ben.email })).toMatchObject({ status: 409, body: { code: 'email_taken' } })
    const email = `moved.${app.unknownId()}@example.test`
    const moved = await owner.patch(path, { email })
    expect(moved).toMatchObject({ status: 200, body: { id: ana.id, email, emailVerified: false, status: 'ACTIVE' } })
    expect((await ana.get('/api/auth/me')).status).toBe(401)
    expect((await app.newcomer().post('/api/auth/login', { email, password })).status).toBe(200)
    expect((await app.user({ email: ana.email })).id).not.toBe(ana.id)
    for (const body of [{ email: 'no address' }, { email, role: 'ROLE_ORG_ADMIN' }])
      expect((await owner.patch(path, body)).status).toBe(422)
  })
})

/** Closed to most, and strict with those who may sign up. */
const strict = await testApp({
  env: {
    SVC_SIGNUP: 'domains',
    SVC_SIGNUP_DOMAINS: 'Acme.example,example.test',
    SVC_REQUIRE_VERIFIED_EMAIL: 'true',
  },
})

describe('signing up', () => {
  const person = (email: string) => ({ name: 'Ana', email, password })
  const closed = { status: 403, body: { code: 'signup_closed' } }

  it('can be held to domains', async () => {
    const register = (body: object) => strict.newcomer().post('/api/auth/register', body)
    expect(await register(person('a@acme.example'))).toMatchObject({ status: 201 })
    expect(await register(person('a@sub.acme.example'))).toMatchObject(closed)
    expect(await register({ ...person('b@elsewhere.example'), companyName: 'B' })).toMatchObject(closed)
  })

  it('can be closed but for invitations', async () => {
    const held = await testApp({ env: { SVC_SIGNUP: 'invite' }, databaseUrl: app.databaseUrl })
    expect(await held.newcomer().post('/api/auth/register', person('a@acme.example'))).toMatchObject(closed)
  })
})

it('people who must prove their address first cannot invite or share before', async () => {
  const boss = await strict.user({ org: 'Strict' })
  const invite = () => boss.post('/api/org/team/invite', { email: `x.${strict.unknownId()}@example.test` })
  expect(await invite()).toMatchObject({ status: 403, body: { code: 'email_not_verified' } })
  const share = await boss.post(`/api/v1/chats/${strict.unknownId()}/share`)
  expect(share).toMatchObject({ status: 403, body: { code: 'email_not_verified' } })
  const grants = [{ principal_type: 'organization', principal_id: boss.organizationId, permission: 'read' }]
  const own = [{ principal_type: 'user', principal_id: boss.id, permission: 'write' }]
  const prompt = (shared: boolean) => ({ command: 'hello', content: 'Hello', shared })
  const collection = (await boss.post('/api/v1/knowledge/create', { name: 'Private', access_grants: own })).body
  const { id: promptId } = (await boss.post('/api/v1/prompts', prompt(false))).body
  const sharings = () =>
    Promise.all([
      boss.post('/api/v1/knowledge/create', { name: 'Shared', access_grants: grants }),
      boss.post(`/api/v1/knowledge/${collection.id}/update`, { access_grants: grants }),
      boss.post('/api/v1/models/create', { id: 'mine', name: 'Mine', base_model_id: 'guide', access_grants: grants }),
      boss.put(`/api/v1/prompts/${promptId}`, prompt(true)),
      boss.post('/api/v1/prompts', { ...prompt(true), command: 'second' }),
    ])
  const unverified = { status: 403, body: { code: 'email_not_verified' } }
  expect(await sharings()).toMatchObject(Array(5).fill(unverified))
  await boss.post('/api/auth/resend-verification')
  const link = (await strict.letterTo(boss.email)).link()
  const token = new URL(`http://x${link}`).searchParams.get('token')
  await boss.post('/api/auth/verify-email', { token })
  expect((await invite()).status).toBe(201)
  const done = (await sharings()).map(({ status }) => status)
  expect(done).toEqual([200, 200, 201, 200, 201])
})
