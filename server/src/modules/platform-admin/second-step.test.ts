import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { bearer, createClient } from '#test/harness/client.ts'
import { addPasskey, addTotp, home } from '#test/harness/factors.ts'
import { type Person, password } from '#test/harness/people.ts'

const app = await testApp({ env: { SVC_URL: home.origin } })
const owner = await app.platformOwner()
const at = '/api/admin/auth'

const login = (email: string, pass = password) => app.newcomer().post(`${at}/login`, { email, password: pass })
const colleague = async (): Promise<Person> => {
  const email = `colleague.${app.unknownId()}@example.test`
  const made = await owner.post(`${at}/accounts`, { name: 'Cora', email, password })
  const { body } = await login(email)
  return { ...owner, id: made.body.id, email, token: body.token, ...createClient(app.url, bearer(body.token)) }
}

describe("a platform admin's second step", () => {
  it('is an app, a recovery code or a passkey, and each door takes only its own challenges', async () => {
    const cora = await colleague()
    const totp = await addTotp(app, cora, at)
    const { challengeId, methods } = (await login(cora.email)).body
    expect(methods).toEqual(['totp', 'recovery'])
    const answer = { challengeId, otp: totp.next(), method: 'totp' }
    expect(await app.newcomer().post('/api/auth/verify-login-otp', answer)).toMatchObject({ status: 401 })
    expect(await app.newcomer().post(`${at}/verify-login-otp`, answer)).toMatchObject({
      status: 200,
      body: { user: { id: cora.id } },
    })
    expect(await app.newcomer().post(`${at}/resend-login-otp`, { challengeId })).toMatchObject({ status: 401 })

    const passkey = await addPasskey(cora, at)
    const signIn = async (door: string) => {
      const options = await app.anonymous.post(`${at}/passkeys/sign-in/options`)
      return app.newcomer().post(`${door}/passkeys/sign-in`, { response: passkey.answer(options.body) })
    }
    expect(await signIn('/api/auth')).toMatchObject({ status: 401, body: { code: 'invalid_passkey' } })
    expect(await signIn(at)).toMatchObject({ status: 200, body: { user: { role: 'ROLE_PLATFORM_OWNER' } } })
  })

  it('is taken away by another admin, who shows first who they are', async () => {
    const cora = await colleague()
    await addTotp(app, cora, at)
    const reset = `${at}/accounts/${cora.id}/reset-factors`
    expect(await cora.post(reset)).toMatchObject({ status: 403 })
    app.clock.forward({ minutes: 6 })
    expect(await owner.post(reset)).toMatchObject({ status: 403, body: { code: 'fresh_proof_required' } })
    expect(await owner.post(`${at}/prove`, { password })).toMatchObject({ status: 200 })
    expect(await owner.post(reset)).toMatchObject({ status: 204 })
    expect(await cora.get(`${at}/me`)).toMatchObject({ status: 401 })
    expect(await login(cora.email)).toMatchObject({ status: 200, body: { token: expect.any(String) } })
  })

  it('is asked for where the platform says so, and nothing else is open before', async () => {
    const cora = await colleague()
    expect(await owner.post('/api/v1/configs', { 'platform.factor_policy': 'any' })).toMatchObject({ status: 200 })
    const held = { ...cora, ...createClient(app.url, bearer((await login(cora.email)).body.token)) }
    expect(await held.get('/api/admin/users')).toMatchObject({ status: 403, body: { code: 'factor_required' } })
    await addTotp(app, held, at)
    expect(await held.get('/api/admin/users')).toMatchObject({ status: 200 })
    await owner.post('/api/v1/configs', { 'platform.factor_policy': 'none' })
  })
})

describe('a forgotten password of a platform admin', () => {
  it('is replaced by a mailed link, which works once and leaves the second step', async () => {
    const cora = await colleague()
    const totp = await addTotp(app, cora, at)
    const forget = (email: string) => app.newcomer().post(`${at}/forgot-password`, { email })
    expect(await forget(`nobody@example.test`)).toMatchObject({ status: 202 })
    expect(await forget(cora.email)).toMatchObject({ status: 202 })
    const { text } = await app.letterTo(cora.email, 2)
    const token = /reset-password\?token=([\w-]+)/.exec(text)?.[1]
    const choose = (given: string) => ({ token, password: given })
    const reset = (body: object) => app.newcomer().post(`${at}/reset-password`, body)
    expect(await app.newcomer().post('/api/auth/reset-password', choose('a new fine passphrase'))).toMatchObject({
      status: 400,
    })
    const replies = await Promise.all([reset(choose('a new fine passphrase')), reset(choose('another fine one'))])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(await cora.get(`${at}/me`)).toMatchObject({ status: 401 })
    const chosen = replies[0].status === 200 ? 'a new fine passphrase' : 'another fine one'
    const { challengeId } = (await login(cora.email, chosen)).body
    expect(
      await app.newcomer().post(`${at}/verify-login-otp`, { challengeId, otp: totp.next(), method: 'totp' }),
    ).toMatchObject({ status: 200 })
  })
})
