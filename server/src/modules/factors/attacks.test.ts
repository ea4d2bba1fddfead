/** What somebody tries who has a part of what it takes to sign in. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { addPasskey, addTotp, home } from '#test/harness/factors.ts'
import { countBlocked, isBlocked } from '#test/harness/locks.ts'
import { type Person, password } from '#test/harness/people.ts'
import { createPasskey } from '#test/peers/passkey.ts'

const app = await testApp({ env: { SVC_URL: home.origin } })

const login = (person: Person, headers = {}) =>
  app.newcomer().post('/api/auth/login', { email: person.email, password }, headers)
const verify = (body: object) => app.newcomer().post('/api/auth/verify-login-otp', body)
const rememberedAfter = async (person: Person, answer: object): Promise<string> => {
  const { challengeId } = (await login(person)).body
  const { headers } = await verify({ challengeId, rememberBrowser: true, ...answer })
  const cookie = headers.getSetCookie().find((each) => each.startsWith('remembered_'))
  return cookie?.split(';')[0] ?? ''
}
/** Both wait for this lock, the first in front of the second. */
const heldUp = async (lock: string, requests: (() => ReturnType<Person['post']>)[]) => {
  const begun: ReturnType<Person['post']>[] = []
  await app.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(tx)
    for (const begin of requests) {
      begun.push(begin())
      await expect.poll(() => countBlocked(app.db)).toBe(begun.length)
    }
  })
  return Promise.all(begun)
}

describe('a remembered browser', () => {
  it('is worth what it was remembered for, not more', async () => {
    const boss = await app.user({ org: 'strict' })
    const ana = await app.user({ org: 'strict' })
    const totp = await addTotp(app, ana)
    const byApp = await rememberedAfter(ana, { otp: totp.next(), method: 'totp' })
    const byRecovery = await rememberedAfter(ana, { otp: totp.recoveryCodes[0], method: 'recovery' })
    expect((await login(ana, { cookie: byRecovery })).body.token).toBeDefined()

    await boss.patch('/api/org/settings', { factorPolicy: 'any' })
    expect((await login(ana, { cookie: byApp })).body.token).toBeDefined()
    expect((await login(ana, { cookie: byRecovery })).body.otpRequired).toBe(true)
    await boss.patch('/api/org/settings', { factorPolicy: 'phishing_resistant' })
    expect((await login(ana, { cookie: byApp })).body.otpRequired).toBe(true)
  })
})

describe('a session whose proof is not fresh', () => {
  it('gets no key for everything, whatever that is called, and none by way of a device', async () => {
    const ana = await app.user()
    await addTotp(app, ana)
    app.clock.forward({ minutes: 6 })
    const refused = { status: 403, body: { code: 'fresh_proof_required' } }
    for (const allowed of ['/', '/api', '/api/v1', '/api/v1/api-keys'])
      expect(await ana.post('/api/v1/api-keys', { name: 'all', allowed_routes: [allowed] })).toMatchObject(refused)
    const { user_code } = (await app.anonymous.post('/api/auth/device', { name: 'A shell' })).body
    expect(await ana.post('/api/auth/device/decision', { user_code, allowed: true })).toMatchObject(refused)
    expect(await ana.post('/api/auth/device/decision', { user_code, allowed: false })).toMatchObject({ status: 204 })
  })

  it('changes neither the password nor the emailed code of somebody who has a factor', async () => {
    const ana = await app.user()
    await addTotp(app, ana)
    app.clock.forward({ minutes: 6 })
    const refused = { status: 403, body: { code: 'fresh_proof_required' } }
    const change = { currentPassword: password, newPassword: 'another fine passphrase' }
    expect(await ana.post('/api/auth/change-password', change)).toMatchObject(refused)
    expect(await ana.patch('/api/auth/me', { loginOtp: true })).toMatchObject(refused)
    expect(await ana.patch('/api/auth/me', { name: 'Ana' })).toMatchObject({ status: 200 })
  })
})

describe('at the same moment', () => {
  it('one factor is begun, and one of the last two stays', async () => {
    const boss = await app.user({ org: 'hasty' })
    const ana = await app.user({ org: 'hasty' })
    await boss.patch('/api/org/settings', { factorPolicy: 'any' })
    const begun = await Promise.all(Array.from({ length: 8 }, () => ana.post('/api/auth/factors/totp')))
    expect(begun.every(({ status }) => status === 201)).toBe(true)
    const kept = await app.db.selectFrom('factors').select('id').where('principalId', '=', ana.id).execute()
    expect(kept).toHaveLength(1)

    await addTotp(app, ana)
    await addPasskey(ana)
    const { factors } = (await ana.get('/api/auth/factors')).body
    const gone = await Promise.all(factors.map(({ id }: { id: string }) => ana.delete(`/api/auth/factors/${id}`)))
    expect(gone.map(({ status }) => status).sort()).toEqual([204, 409])
  })

  it('a factor is not added by a session that ends, also where all factors are taken away', async () => {
    const boss = await app.user({ org: 'losing' })
    const ana = await app.user({ org: 'losing' })
    const response = createPasskey(home).create((await ana.post('/api/auth/passkeys/options')).body)
    const [reset, added] = await heldUp(`factors ${ana.id}`, [
      () => boss.post(`/api/org/team/${ana.id}/reset-factors`),
      () => ana.post('/api/auth/passkeys', { name: 'x', response }),
    ])
    expect([reset?.status, added?.status]).toEqual([200, 401])
    expect(await app.db.selectFrom('factors').where('principalId', '=', ana.id).execute()).toEqual([])
  })

  it("an admin's second step is guessed at most twenty times an hour, over all challenges", async () => {
    const owner = await app.platformOwner()
    const totp = await addTotp(app, owner, '/api/admin/auth')
    const answer = (challengeId: string, otp: string) =>
      app.newcomer().post('/api/admin/auth/verify-login-otp', { challengeId, method: 'totp', otp })
    const open = async () =>
      (await app.newcomer().post('/api/admin/auth/login', { email: owner.email, password })).body.challengeId
    const [first, second] = [await open(), await open()]
    await answer(first, '000000')
    const right = totp.next()
    let judged: ReturnType<typeof answer> | undefined
    await app.db.transaction().execute(async (tx) => {
      const own = tx.selectFrom('loginFailures').selectAll().where('bucket', '=', `row code ${owner.id}`)
      await own.forUpdate().execute()
      judged = answer(second, right)
      await expect.poll(() => isBlocked(app.db)).toBe(true)
      await tx.updateTable('loginChallenges').set({ failures: 20 }).where('id', '=', first).execute()
    })
    expect((await judged)?.status).toBe(401)
    const wrong = app.db.selectFrom('auditLog').select('id').where('action', '=', 'platform.second_step_failed')
    expect(await wrong.where('targetId', '=', owner.id).execute()).toHaveLength(2)
  })
})

describe('a hostile passkey', () => {
  it.each([[16], [6000]])('that is called otherwise in what is signed, by %i bytes, is refused', async (length) => {
    const ana = await app.user()
    const options = await ana.post('/api/auth/passkeys/options')
    const made = createPasskey(home, randomBytes(length)).create(options.body)
    const response = { ...made, id: 'AAAA', rawId: 'AAAA' }
    expect(await ana.post('/api/auth/passkeys', { name: 'x', response })).toMatchObject({
      status: 401,
      body: { code: 'invalid_passkey' },
    })
  })
})

describe('a wrong second step', () => {
  it('is audited, at the sign-in and in a session', async () => {
    const ana = await app.user()
    await addTotp(app, ana)
    const { challengeId } = (await login(ana)).body
    await verify({ challengeId, otp: '000000', method: 'totp' })
    await ana.post('/api/auth/prove', { otp: '000000', method: 'totp' })
    const entries = await app.db
      .selectFrom('auditLog')
      .select(['action', 'detail'])
      .where('targetId', '=', ana.id)
      .where('action', 'like', '%failed')
      .orderBy('at')
      .execute()
    expect(entries).toMatchObject([
      { action: 'account.second_step_failed', detail: { method: 'totp' } },
      { action: 'account.proof_failed', detail: { method: 'totp' } },
    ])
  })
})
