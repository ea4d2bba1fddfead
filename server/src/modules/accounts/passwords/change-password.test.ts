import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { bearer } from '#test/harness/client.ts'
import { isBlocked } from '#test/harness/locks.ts'
import { type Person, password } from '#test/harness/people.ts'

const app = await testApp()
const newPassword = 'quite another passphrase'

const login = (person: Person, given: string) =>
  app.newcomer().post('/api/auth/login', { email: person.email, password: given })
const change = (person: Person, currentPassword: string, chosen = newPassword) =>
  person.post('/api/auth/change-password', { currentPassword, newPassword: chosen })
const isSignedIn = async (token: string) => (await app.newcomer().get('/api/auth/me', bearer(token))).status === 200

describe('changing the own password', () => {
  it('ends all other sessions, keeps the own, and says so by mail', async () => {
    const ana = await app.user()
    const other = (await login(ana, password)).body.token
    expect(await isSignedIn(other)).toBe(true)
    expect(await change(ana, password)).toMatchObject({ status: 204, text: '' })
    expect(await isSignedIn(other)).toBe(false)
    expect(await isSignedIn(ana.token)).toBe(true)
    expect(await login(ana, password)).toMatchObject({ status: 401 })
    expect(await login(ana, newPassword)).toMatchObject({ status: 200 })
    expect((await app.letterTo(ana.email)).subject).toBe('Your password was changed')
  })

  it('needs the current one, and changes nothing without it', async () => {
    const ana = await app.user()
    const other = (await login(ana, password)).body.token
    expect(await change(ana, 'not it')).toMatchObject({ status: 403, body: { code: 'wrong_password' } })
    expect(await isSignedIn(other)).toBe(true)
    expect(await login(ana, password)).toMatchObject({ status: 200 })
  })

  it('is nothing any more where the account got another password while it was checked', async () => {
    const ana = await app.user()
    const { changing } = await app.db.transaction().execute(async (tx) => {
      await tx.updateTable('users').set({ passwordHash: null }).where('id', '=', ana.id).execute()
      const changing = change(ana, password)
      await expect.poll(() => isBlocked(app.db)).toBe(true)
      return { changing }
    })
    expect(await changing).toMatchObject({ status: 403, body: { code: 'wrong_password' } })
    expect((await login(ana, newPassword)).status).toBe(401)
  })

  it('slows down guesses from a stolen session, and accepts the right one after the delay', async () => {
    const ana = await app.user()
    for (let tries = 0; tries < 6; tries += 1)
      expect(await change(ana, `guess ${tries}`)).toMatchObject({ status: 403 })
    expect(await change(ana, password)).toMatchObject({ status: 403 })
    expect(await login(ana, password)).toMatchObject({ status: 200 })
    app.clock.forward({ minutes: 16 })
    expect(await change(ana, password)).toMatchObject({ status: 204 })
  })

  it('holds the new one to the same rule as at registration', async () => {
    const ana = await app.user()
    expect(await change(ana, password, 'short')).toMatchObject({ status: 422 })
    expect(await change(ana, password, 'Password2024!')).toMatchObject({ status: 422 })
    expect(await login(ana, password)).toMatchObject({ status: 200 })
  })

  it('makes a pending reset link and a pending second step worthless', async () => {
    const ana = await app.user()
    await app.newcomer().post('/api/auth/forgot-password', { email: ana.email })
    const link = (await app.letterTo(ana.email)).link()
    await ana.patch('/api/auth/me', { loginOtp: true })
    const { challengeId } = (await login(ana, password)).body
    const otp = (await app.letterTo(ana.email, 2)).code()

    expect(await change(ana, password)).toMatchObject({ status: 204 })
    const token = new URL(`http://x${link}`).searchParams.get('token')
    const reset = await app.newcomer().post('/api/auth/reset-password', { token, password: 'chosen by a thief' })
    expect(reset).toMatchObject({ status: 400, body: { code: 'invalid_reset_token' } })
    const second = await app.newcomer().post('/api/auth/verify-login-otp', { challengeId, otp })
    expect(second).toMatchObject({ status: 401, body: { code: 'invalid_otp' } })
  })
})

describe('a login that is under way while its account changes', () => {
  const whileLocked = async (person: Person, change: { passwordHash: string } | { bannedAt: Date }) => {
    const pending = await app.db.transaction().execute(async (tx) => {
      await tx.updateTable('users').set(change).where('id', '=', person.id).execute()
      const pending = login(person, password)
      const waiting = sql<{ count: number }>`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`
      await expect.poll(async () => (await waiting.execute(app.db)).rows[0]?.count, { timeout: 10_000 }).toBe(1)
      return { reply: pending }
    })
    return pending.reply
  }

  it('does not outlive a change of the password', async () => {
    const ana = await app.user()
    expect(await whileLocked(ana, { passwordHash: 'changed meanwhile' })).toMatchObject({
      status: 401,
      body: { code: 'invalid_credentials' },
    })
  })

  it('does not outlive a deactivation', async () => {
    const ana = await app.user()
    expect(await whileLocked(ana, { bannedAt: new Date() })).toMatchObject({ status: 401 })
  })
})
