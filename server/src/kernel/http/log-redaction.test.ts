/** A57: a whole life of an account at the most talkative level, and nothing secret in the log or the audit. */
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { bearer } from '#test/harness/client.ts'
import { password } from '#test/harness/people.ts'
import { testSecrets } from '#test/harness/secrets.ts'

const app = await testApp({ env: { LOG_LEVEL: 'debug' } })

const newPassword = 'another perfectly fine passphrase'
const guess = 'wrong guess with some length'

/** Everything that was secret on the way. */
const liveAndCollect = async (): Promise<Record<string, string>> => {
  const owner = await app.platformOwner()
  const ana = await app.user({ org: 'redaction' })
  const { key } = (await ana.post('/api/v1/api-keys', { name: 'ci' })).body
  await app.newcomer().get('/api/auth/me', { 'x-api-key': key })
  await app.newcomer().get('/api/auth/me', { cookie: `token=${ana.token}` })
  await app.newcomer().post('/api/auth/login', { email: ana.email, password: guess })
  await app.newcomer().get(`/api/auth/nothing?token=${ana.token}`, bearer(key))
  await app.newcomer().post('/api/admin/auth/setup', { setupKey: 'nearly-the-setup-key', password: guess })

  await ana.patch('/api/auth/me', { loginOtp: true })
  const challenge = await app.newcomer().post('/api/auth/login', { email: ana.email, password })
  const otp = (await app.letterTo(ana.email)).code()
  const refused = await app.newcomer().post('/api/auth/verify-login-otp', { otp, unknownField: true })
  expect(refused.status).toBe(422)
  const login = await app
    .newcomer()
    .post('/api/auth/verify-login-otp', { challengeId: challenge.body.challengeId, otp })
  expect(login.status).toBe(200)

  await app.newcomer().post('/api/auth/forgot-password', { email: ana.email })
  const reset = new URL(app.url + (await app.letterTo(ana.email, 2)).link()).searchParams.get('token') ?? ''
  await app.newcomer().post('/api/auth/reset-password', { token: reset, password: newPassword })
  await app.letterTo(ana.email, 3)
  await owner.patch(`/api/admin/users/${ana.id}`, { status: 'DEACTIVATED' })
  expect(reset.length).toBeGreaterThan(40)
  const tokens = { first: ana.token, second: login.body.token, owner: owner.token }
  return { key, otp, reset, password, newPassword, guess, nearly: 'nearly-the-setup-key', ...tokens, ...testSecrets }
}

/** Six digits may by chance be part of an id, which is not what is meant. */
const holds = (text: string, secret: string): boolean =>
  /^\d{6}$/.test(secret) ? new RegExp(`(?<![0-9a-f-])${secret}(?![0-9a-f-])`).test(text) : text.includes(secret)

describe('the log', () => {
  it('holds every request but no password, code, token, key or configured secret', async () => {
    const secrets = await liveAndCollect()
    await expect.poll(() => app.logLines.length).toBeGreaterThanOrEqual(15)
    const log = app.logLines.join('\n')
    expect(log).toContain('/api/auth/verify-login-otp')
    const audit = JSON.stringify(await app.db.selectFrom('auditLog').selectAll().execute())
    expect(audit).toContain('account.reset_password')
    for (const [name, secret] of Object.entries(secrets)) {
      expect(secret, name).not.toBe('')
      expect(holds(log, secret), `${name} in the log`).toBe(false)
      expect(holds(audit, secret), `${name} in the audit`).toBe(false)
    }
  })

  it('holds requests at the usual level only where the access log is on', async () => {
    const requestsOf = async (env: Record<string, string>): Promise<Record<string, unknown>[]> => {
      const own = await testApp({ env: { LOG_LEVEL: 'info', ...env } })
      await own.anonymous.get('/api/auth/me')
      await own.anonymous.get('/health')
      const lines = () => own.logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
      if (env.SVC_ACCESS_LOG) await expect.poll(() => lines().length).toBe(2)
      return lines()
    }
    expect(await requestsOf({})).toEqual([])
    const logged = await requestsOf({ SVC_ACCESS_LOG: 'true' })
    const mine = logged.find(({ route }) => route === '/api/auth/me')
    expect(mine).toMatchObject({ method: 'GET', status: 401, ip: expect.stringMatching(/^10\./) })
  })

  it('names the route and not the address', async () => {
    const before = app.logLines.length
    const requests = () =>
      app.logLines
        .slice(before)
        .map((line) => JSON.parse(line))
        .filter(({ msg }) => msg === 'request')
    const address = app.unknownId()
    await app.newcomer().get(`/api/public/chats/${address}?token=${address}`)
    await app.newcomer().get(`/api/auth/nothing?token=${address}`)
    await expect.poll(() => requests().length).toBeGreaterThanOrEqual(2)
    expect(requests().map(({ route }) => route)).toContain('/api/public/chats/:token')
    for (const line of requests()) {
      expect(Object.keys(line)).toEqual(expect.arrayContaining(['id', 'method', 'ms', 'route', 'status']))
      expect(JSON.stringify(line)).not.toContain(address)
    }
  })
})
