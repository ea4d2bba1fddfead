import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { bearer } from '#test/harness/client.ts'
import { password } from '#test/harness/people.ts'

const app = await testApp()
const login = (email: string, given = password) => app.newcomer().post('/api/auth/login', { email, password: given })

describe('the login code', () => {
  it('is not mailed again by a new login within the cool-down', async () => {
    const ana = await app.user()
    await ana.patch('/api/auth/me', { loginOtp: true })
    const first = await login(ana.email)
    const code = (await app.letterTo(ana.email)).code()
    const second = await login(ana.email)
    expect(second.body).toMatchObject({ otpRequired: true, challengeId: first.body.challengeId })
    expect(second.body.resendAfter).toBeLessThanOrEqual(60)
    expect(app.lettersTo(ana.email)).toHaveLength(1)
    app.clock.forward({ minutes: 2 })
    const third = await login(ana.email)
    expect(third.body.challengeId).not.toBe(first.body.challengeId)
    expect((await app.letterTo(ana.email, 2)).code()).not.toBe(code)
  })

  it('is switched off only with the password', async () => {
    const ana = await app.user()
    await ana.patch('/api/auth/me', { loginOtp: true })
    for (const body of [{ loginOtp: false }, { loginOtp: false, currentPassword: 'wrong' }])
      expect(await ana.patch('/api/auth/me', body)).toMatchObject({ status: 403, body: { code: 'wrong_password' } })
    const off = await ana.patch('/api/auth/me', { loginOtp: false, currentPassword: password })
    expect(off).toMatchObject({ status: 200, body: { loginOtp: false } })
    expect(await ana.patch('/api/auth/me', { loginOtp: false })).toMatchObject({ status: 200 })
  })
})

describe('a name', () => {
  it.each(['\u200b\u200b', '\u3164', '\u2060', '\u202eanA', 'A\u2066na\u2069', '\u00ad'])(
    'of only invisible or direction-changing characters is refused: %j',
    async (name) => {
      const body = { name, email: `${app.unknownId()}@example.test`, password }
      expect(await app.newcomer().post('/api/auth/register', body)).toMatchObject({ status: 422 })
    },
  )

  it.each(['李小龍', 'Zoë', 'علي', '👩‍🚀 Ana', "O'Brien-Smith"])('may be %s', async (name) => {
    const body = { name, email: `${app.unknownId()}@example.test`, password }
    expect(await app.newcomer().post('/api/auth/register', body)).toMatchObject({
      status: 201,
      body: { user: { name } },
    })
  })
})

it('registering counts as the first sign-in', async () => {
  const owner = await app.platformOwner()
  for (const person of [await app.user(), await app.user({ org: `org ${app.unknownId()}` })])
    expect((await owner.get(`/api/admin/users/${person.id}`)).body.lastLoginAt).not.toBeNull()
})

it('a key ends together with the key that made it, however many steps away', async () => {
  const ana = await app.user()
  const make = async (key?: string) =>
    (await app.newcomer().post('/api/v1/api-keys', { name: 'k' }, bearer(key ?? ana.token))).body
  const parent = await make()
  const child = await make(parent.key)
  const grandchild = await make(child.key)
  const sibling = await make()
  expect((await ana.delete(`/api/v1/api-keys/${parent.id}`)).status).toBe(204)
  const statuses = await Promise.all(
    [parent, child, grandchild, sibling].map(
      async ({ key }) => (await app.newcomer().get('/api/auth/me', bearer(key))).status,
    ),
  )
  expect(statuses).toEqual([401, 401, 401, 200])
})

describe('people without a password here', () => {
  const askForReset = async (email: string) => {
    await app.newcomer().post('/api/auth/forgot-password', { email })
    return new URL(`http://x${(await app.letterTo(email)).link()}`).searchParams.get('token')
  }

  it('choose their first one by an emailed link once their sign-in method is removed', async () => {
    const ana = await app.user()
    await app.db.updateTable('users').set({ passwordHash: null }).where('id', '=', ana.id).execute()
    const token = await askForReset(ana.email)
    const reply = await app.newcomer().post('/api/auth/reset-password', { token, password: 'my very first passphrase' })
    expect(reply.status).toBe(200)
    expect((await login(ana.email, 'my very first passphrase')).status).toBe(200)
  })

  it('get no link where their organization refuses passwords, and an older link does not work', async () => {
    const boss = await app.user({ org: `org ${app.unknownId()}` })
    const token = await askForReset(boss.email)
    const set = (authProvider: 'SSO' | 'NATIVE') =>
      app.db.updateTable('organizations').set({ authProvider }).where('id', '=', boss.organizationId).execute()
    await set('SSO')
    const reset = () => app.newcomer().post('/api/auth/reset-password', { token, password: 'my very first passphrase' })
    expect(await reset()).toMatchObject({ status: 400, body: { code: 'invalid_reset_token' } })
    await app.newcomer().post('/api/auth/forgot-password', { email: boss.email })
    const other = await app.user()
    await askForReset(other.email)
    expect(app.lettersTo(boss.email)).toHaveLength(1)
    await set('NATIVE')
    expect((await reset()).status).toBe(200)
  })
})
