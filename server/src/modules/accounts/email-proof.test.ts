import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { type Person, password } from '#test/harness/people.ts'

const app = await testApp()
const tokenIn = async (email: string, count = 1) =>
  new URL(`http://x${(await app.letterTo(email, count)).link()}`).searchParams.get('token') ?? ''
const verify = (token: string) => app.newcomer().post('/api/auth/verify-email', { token })
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
    expect((await verify(fresh)).status).toBe(204)
    expect(await verified(ana)).toBe(true)
    expect(await verify(fresh)).toMatchObject(refused)
    await ana.post('/api/auth/resend-verification')
    expect(app.lettersTo(ana.email)).toHaveLength(2)
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

describe('the operators', () => {
  it('give an account another address, and the old one is free', async () => {
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
  await boss.post('/api/auth/resend-verification')
  const link = (await strict.letterTo(boss.email)).link()
  const token = new URL(`http://x${link}`).searchParams.get('token')
  await strict.newcomer().post('/api/auth/verify-email', { token })
  expect((await invite()).status).toBe(201)
})
