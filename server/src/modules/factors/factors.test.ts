import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { bearer, createClient } from '#test/harness/client.ts'
import { addPasskey, addTotp, home } from '#test/harness/factors.ts'
import { type Person, password } from '#test/harness/people.ts'
import { createPasskey, type Passkey } from '#test/peers/passkey.ts'

const app = await testApp({ env: { SVC_URL: home.origin } })
const twin = await testApp({ env: { SVC_URL: home.origin }, databaseUrl: app.databaseUrl })

const login = (person: Person, headers = {}) =>
  app.newcomer().post('/api/auth/login', { email: person.email, password }, headers)
const verify = (body: object, at = app) => at.newcomer().post('/api/auth/verify-login-otp', body)
const again = async (person: Person): Promise<Person> => {
  const { body } = await login(person)
  return { ...person, token: body.token, ...createClient(app.url, bearer(body.token)) }
}
const signInBy = async (passkey: Passkey, lies = {}) => {
  const options = await app.anonymous.post('/api/auth/passkeys/sign-in/options')
  return app.newcomer().post('/api/auth/passkeys/sign-in', { response: passkey.answer(options.body, lies) })
}
const actions = async (person: Person) =>
  (await app.db.selectFrom('auditLog').select('action').where('actorId', '=', person.id).orderBy('at').execute()).map(
    ({ action }) => action,
  )

describe('an authenticator app', () => {
  it('counts once its first code was right, brings recovery codes, and is asked for from then on', async () => {
    const ana = await app.user()
    const begun = await ana.post('/api/auth/factors/totp')
    expect(begun).toMatchObject({ status: 201, body: { secret: expect.stringMatching(/^[A-Z2-7]{16,}$/) } })
    expect(begun.body.otpauthUrl).toContain('otpauth://totp/')
    expect(await login(ana)).toMatchObject({ status: 200, body: { token: expect.any(String) } })
    const confirm = (code: string) => ana.post(`/api/auth/factors/totp/${begun.body.id}/confirm`, { code })
    expect(await confirm('000000')).toMatchObject({ status: 400, body: { code: 'wrong_code' } })

    const totp = await addTotp(app, ana)
    expect(new Set(totp.recoveryCodes).size).toBe(10)
    expect((await ana.get('/api/auth/factors')).body).toMatchObject({
      factors: [{ id: totp.id, kind: 'totp', lastUsedAt: null }],
      recoveryCodesLeft: 10,
      policy: 'none',
      isNeeded: false,
    })
    const asked = await login(ana)
    expect(asked.body).toMatchObject({ otpRequired: true, methods: ['totp', 'recovery'], resendAfter: 0 })
    expect(asked.body.token).toBeUndefined()
    const { challengeId } = asked.body
    expect(await verify({ challengeId, otp: '000000' })).toMatchObject({ status: 401 })
    expect(await verify({ challengeId, otp: totp.next(), method: 'totp' })).toMatchObject({
      status: 200,
      body: { user: { id: ana.id } },
    })
    const letters = app.lettersTo(ana.email)
    expect(letters.filter(({ subject }) => subject?.includes('sign-in code'))).toEqual([])
    expect(await actions(ana)).toContain('account.add_factor')
  })

  it('takes a code once, however often it comes at the same moment, to either node', async () => {
    const ana = await app.user()
    const totp = await addTotp(app, ana)
    const challenges = await Promise.all(Array.from({ length: 6 }, async () => (await login(ana)).body.challengeId))
    const otp = totp.next()
    twin.clock.forward({ minutes: 0.5 })
    const replies = await Promise.all(
      challenges.map((challengeId, at) => verify({ challengeId, otp, method: 'totp' }, at % 2 ? app : twin)),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('is guessed at most five times per challenge, over two nodes', async () => {
    const ana = await app.user()
    const totp = await addTotp(app, ana)
    const { challengeId } = (await login(ana)).body
    await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        verify({ challengeId, otp: String(100_000 + at), method: 'totp' }, at % 2 ? app : twin),
      ),
    )
    const { failures } = await app.db
      .selectFrom('loginChallenges')
      .select('failures')
      .where('id', '=', challengeId)
      .executeTakeFirstOrThrow()
    expect(failures).toBe(5)
    expect(await verify({ challengeId, otp: totp.next(), method: 'totp' })).toMatchObject({ status: 401 })
  })
})

describe('recovery codes', () => {
  it('work once each, also when one comes twice at the same moment', async () => {
    const ana = await app.user()
    const { recoveryCodes } = await addTotp(app, ana)
    const challenges = [(await login(ana)).body.challengeId, (await login(ana)).body.challengeId]
    const otp = ` ${recoveryCodes[0]?.toUpperCase()} `
    const replies = await Promise.all(challenges.map((challengeId) => verify({ challengeId, otp, method: 'recovery' })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401])
    expect((await ana.get('/api/auth/factors')).body.recoveryCodesLeft).toBe(9)
    const kept = await app.db.selectFrom('recoveryCodes').select('codeHash').where('principalId', '=', ana.id).execute()
    for (const code of recoveryCodes) expect(JSON.stringify(kept)).not.toContain(code)
  })

  it('end when new ones are made', async () => {
    const ana = await app.user()
    const { recoveryCodes } = await addTotp(app, ana)
    const made = await ana.post('/api/auth/factors/recovery-codes')
    expect(made.body.recoveryCodes).toHaveLength(10)
    const { challengeId } = (await login(ana)).body
    expect(await verify({ challengeId, otp: recoveryCodes[1], method: 'recovery' })).toMatchObject({ status: 401 })
    expect(await verify({ challengeId, otp: made.body.recoveryCodes[1], method: 'recovery' })).toMatchObject({
      status: 200,
    })
  })
})

describe('a passkey', () => {
  it('is the whole sign-in, and the second step of one by password', async () => {
    const ana = await app.user()
    const passkey = await addPasskey(ana)
    expect(await signInBy(passkey)).toMatchObject({ status: 200, body: { user: { id: ana.id } } })

    const { challengeId, methods } = (await login(ana)).body
    expect(methods).toEqual(['passkey', 'recovery'])
    const options = await app.anonymous.post('/api/auth/passkeys/challenge-options', { challengeId })
    expect(options.body.allowCredentials).toMatchObject([{ id: passkey.id }])
    const response = passkey.answer(options.body)
    expect(await verify({ challengeId, method: 'passkey', response })).toMatchObject({ status: 200 })
    const { body } = await ana.get('/api/auth/factors')
    expect(body.factors).toMatchObject([{ kind: 'passkey', name: 'My laptop', lastUsedAt: expect.any(String) }])
  })

  it.each([
    ['of a foreign origin', { origin: 'https://evil.example' }],
    ['for another domain', { rpId: 'evil.example' }],
    ['to a question that we did not ask', { challenge: Buffer.alloc(54, 7).toString('base64url') }],
    ['of a locked key, as the whole sign-in', { isUnlocked: false }],
  ])('is refused with an answer %s', async (_what, lies) => {
    const passkey = await addPasskey(await app.user())
    expect(await signInBy(passkey, lies)).toMatchObject({ status: 401, body: { code: 'invalid_passkey' } })
    expect(await signInBy(passkey)).toMatchObject({ status: 200 })
  })

  it('is refused with an answer given before, late, for another purpose, or by a copy of it', async () => {
    const ana = await app.user()
    const passkey = await addPasskey(ana)
    const ask = async () => (await app.anonymous.post('/api/auth/passkeys/sign-in/options')).body
    const send = (response: object) => app.newcomer().post('/api/auth/passkeys/sign-in', { response })
    const response = passkey.answer(await ask())
    expect((await Promise.all([send(response), send(response)])).map(({ status }) => status).sort()).toEqual([200, 401])

    const late = passkey.answer(await ask())
    app.clock.forward({ minutes: 6 })
    expect(await send(late)).toMatchObject({ status: 401 })
    const { challengeId } = (await login(ana)).body
    const other = await app.anonymous.post('/api/auth/passkeys/challenge-options', { challengeId })
    expect(await send(passkey.answer(other.body))).toMatchObject({ status: 401 })
    const foreign = await app.anonymous.post('/api/auth/passkeys/challenge-options', { challengeId: app.unknownId() })
    expect(await verify({ challengeId, method: 'passkey', response: passkey.answer(foreign.body) })).toMatchObject({
      status: 401,
      body: { code: 'invalid_passkey' },
    })

    expect(await send(passkey.answer(await ask(), { counter: 1 }))).toMatchObject({ status: 401 })
    const copied = await app.db
      .selectFrom('auditLog')
      .select('id')
      .where('action', '=', 'account.passkey_copied')
      .execute()
    expect(copied).toHaveLength(1)
    expect(await send(passkey.answer(await ask(), { counter: 99 }))).toMatchObject({ status: 200 })
  })

  it('belongs to one account', async () => {
    const [ana, ben] = [await app.user(), await app.user()]
    const passkey = await addPasskey(ana)
    const options = await ben.post('/api/auth/passkeys/options')
    expect(await ben.post('/api/auth/passkeys', { name: 'x', response: passkey.create(options.body) })).toMatchObject({
      status: 409,
      body: { code: 'passkey_known' },
    })
    const foreign = createPasskey(home).create((await ana.post('/api/auth/passkeys/options')).body)
    expect(await ben.post('/api/auth/passkeys', { name: 'x', response: foreign })).toMatchObject({ status: 401 })
    await addPasskey(ben)
    const { challengeId } = (await login(ben)).body
    const asked = await app.anonymous.post('/api/auth/passkeys/challenge-options', { challengeId })
    expect(await verify({ challengeId, method: 'passkey', response: passkey.answer(asked.body) })).toMatchObject({
      status: 401,
    })
  })
})

describe('a remembered browser', () => {
  it('is not asked again until the password changes or the person says so', async () => {
    const ana = await app.user()
    const totp = await addTotp(app, ana)
    const { challengeId } = (await login(ana)).body
    const done = await verify({ challengeId, otp: totp.next(), method: 'totp', rememberBrowser: true })
    const cookie =
      done.headers
        .getSetCookie()
        .find((each) => each.startsWith('remembered_'))
        ?.split(';')[0] ?? ''
    const self = { ...ana, ...createClient(app.url, bearer(done.body.token)) }
    expect(await login(ana, { cookie })).toMatchObject({ status: 200, body: { token: expect.any(String) } })
    expect((await login(ana)).body.otpRequired).toBe(true)
    const other = await app.user()
    await addTotp(app, other)
    const stolen = cookie.replace(ana.id, other.id)
    expect((await login(other, { cookie: stolen })).body.otpRequired).toBe(true)

    const newPassword = 'another fine passphrase'
    expect(await self.post('/api/auth/change-password', { currentPassword: password, newPassword })).toMatchObject({
      status: 204,
    })
    const after = await app.newcomer().post('/api/auth/login', { email: ana.email, password: newPassword }, { cookie })
    expect(after.body.otpRequired).toBe(true)
  })
})

describe('fresh proof', () => {
  it('is asked for five minutes after the sign-in, and given by the password or, where there is one, a factor', async () => {
    const ana = await app.user()
    app.clock.forward({ minutes: 6 })
    expect(await ana.post('/api/auth/factors/totp')).toMatchObject({
      status: 403,
      body: { code: 'fresh_proof_required' },
    })
    expect(await ana.post('/api/auth/prove', { password: 'wrong' })).toMatchObject({ body: { code: 'wrong_password' } })
    expect(await ana.post('/api/auth/prove', { password })).toMatchObject({ status: 200 })
    const totp = await addTotp(app, ana)
    app.clock.forward({ minutes: 6 })
    expect(await ana.post('/api/auth/prove', { password })).toMatchObject({ body: { code: 'factor_required' } })
    expect(await ana.delete(`/api/auth/factors/${totp.id}`)).toMatchObject({ status: 403 })
    expect(await ana.post('/api/v1/api-keys', { name: 'all' })).toMatchObject({
      body: { code: 'fresh_proof_required' },
    })
    expect(await ana.post('/api/v1/api-keys', { name: 'one', allowed_routes: ['/api/models'] })).toMatchObject({
      status: 201,
    })
    expect(await ana.post('/api/auth/prove', { otp: totp.next(), method: 'totp' })).toMatchObject({ status: 200 })
    expect(await ana.post('/api/v1/api-keys', { name: 'all' })).toMatchObject({ status: 201 })
    expect(await ana.delete(`/api/auth/factors/${totp.id}`)).toMatchObject({ status: 204 })
    expect((await ana.get('/api/auth/factors')).body).toMatchObject({ factors: [], recoveryCodesLeft: 0 })
    expect(await login(ana)).toMatchObject({ body: { token: expect.any(String) } })
  })

  it('can be given by a passkey, and by no key', async () => {
    const ana = await app.user()
    const { key } = (await ana.post('/api/v1/api-keys', { name: 'mine' })).body
    const passkey = await addPasskey(ana)
    app.clock.forward({ minutes: 6 })
    const options = await ana.post('/api/auth/prove/options')
    expect(await ana.post('/api/auth/prove', { response: passkey.answer(options.body) })).toMatchObject({ status: 200 })
    expect(await ana.post('/api/auth/factors/recovery-codes')).toMatchObject({ status: 200 })
    expect(await app.newcomer().post('/api/auth/factors/totp', undefined, bearer(key))).toMatchObject({ status: 403 })
  })
})

describe("an organization's policy", () => {
  it('lets those without a factor do nothing but set one up, from its day on', async () => {
    const boss = await app.user({ org: 'careful' })
    const ana = await app.user({ org: 'careful' })
    const inAnHour = new Date(app.clock.now().getTime() + 3_600_000).toISOString()
    const set = (patch: object) => boss.patch('/api/org/settings', patch)
    expect(await set({ factorPolicy: 'phishing_resistant', factorPolicyFrom: inAnHour })).toMatchObject({ status: 200 })
    expect(await (await again(ana)).get('/api/v1/chats/')).toMatchObject({ status: 200 })
    app.clock.forward({ minutes: 120 })
    const held = await again(ana)
    expect(await held.get('/api/v1/chats/')).toMatchObject({ status: 403, body: { code: 'factor_required' } })
    expect(await held.get('/api/auth/me')).toMatchObject({ status: 200 })
    expect((await held.get('/api/auth/factors')).body).toMatchObject({ policy: 'phishing_resistant', isNeeded: true })

    const totp = await addTotp(app, held)
    expect(await held.get('/api/v1/chats/')).toMatchObject({ status: 403 })
    await addPasskey(held)
    expect(await held.get('/api/v1/chats/')).toMatchObject({ status: 200 })
    expect((await login(ana)).body.methods).toEqual(['passkey', 'recovery'])
    const { factors } = (await held.get('/api/auth/factors')).body
    const only = factors.find(({ kind }: { kind: string }) => kind === 'passkey')
    expect(await held.delete(`/api/auth/factors/${only.id}`)).toMatchObject({ body: { code: 'factor_policy' } })
    expect(await held.delete(`/api/auth/factors/${totp.id}`)).toMatchObject({ status: 204 })
  })

  it('shows who has a factor, and lets an administrator take it away', async () => {
    const boss = await app.user({ org: 'watchful' })
    const ana = await app.user({ org: 'watchful' })
    const stranger = await app.user({ org: 'elsewhere' })
    await addTotp(app, ana)
    const team = async (query: string) => (await boss.get(`/api/org/team?limit=10&${query}`)).body
    expect((await team('factors=some')).members).toMatchObject([{ id: ana.id, factors: ['totp'] }])
    expect(await team('factors=none')).toMatchObject({
      members: [{ id: boss.id, factors: [] }],
      totals: { members: 1 },
    })
    const seen = (await ana.get('/api/org/team')).body.members
    for (const member of seen) expect(member).not.toHaveProperty('factors')

    const reset = `/api/org/team/${ana.id}/reset-factors`
    expect(await ana.post(reset)).toMatchObject({ status: 403 })
    expect(await stranger.post(reset)).toMatchObject({ status: 404 })
    expect(await boss.post(reset)).toMatchObject({ status: 200, body: { factors: [] } })
    expect(await ana.get('/api/auth/me')).toMatchObject({ status: 401 })
    expect(await login(ana)).toMatchObject({ body: { token: expect.any(String) } })
    expect(await actions(boss)).toContain('organization.reset_factors')
    const told = await app.db.selectFrom('mailOutbox').select('subject').where('recipient', '=', ana.email).execute()
    expect(told).toHaveLength(2)
  })
})

it('asks for passkeys nowhere where nobody could have one', async () => {
  const bare = await testApp({ env: { SVC_URL: 'http://192.0.2.7' } })
  const boss = await bare.user({ org: 'by address' })
  expect(await boss.patch('/api/org/settings', { factorPolicy: 'phishing_resistant' })).toMatchObject({
    status: 409,
    body: { code: 'passkeys_unavailable' },
  })
  expect(await boss.patch('/api/org/settings', { factorPolicy: 'any' })).toMatchObject({ status: 200 })
  const owner = await bare.platformOwner()
  const saved = await owner.post('/api/v1/configs', { 'platform.factor_policy': 'phishing_resistant' })
  expect(saved.status).toBe(422)
  expect((await boss.get('/api/auth/factors')).body.canHavePasskeys).toBe(false)
  expect(await boss.post('/api/auth/passkeys/options')).toMatchObject({ body: { code: 'passkeys_unavailable' } })
})

it('keeps the password of whoever verifies their address in a session that lacks a factor', async () => {
  const alone = await testApp()
  const boss = await alone.user({ org: 'verifying' })
  const ana = await alone.user({ org: 'verifying' })
  await boss.patch('/api/org/settings', { factorPolicy: 'any' })
  const signIn = () => alone.newcomer().post('/api/auth/login', { email: ana.email, password })
  const { token } = (await signIn()).body
  expect(await ana.post('/api/auth/resend-verification')).toMatchObject({ status: 202 })
  const link = /verify-email\?token=([\w-]+)/.exec((await alone.letterTo(ana.email)).text)?.[1]
  const verified = await alone.newcomer().post('/api/auth/verify-email', { token: link }, bearer(token))
  expect(verified).toMatchObject({ status: 204 })
  expect(await signIn()).toMatchObject({ status: 200 })
})
