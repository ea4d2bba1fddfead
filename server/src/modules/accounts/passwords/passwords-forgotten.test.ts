import { describe, expect, it } from 'vitest'
import { hashToken } from '#kernel/crypto/tokens.ts'
import { testApp } from '#test/harness/app.ts'
import { bearer } from '#test/harness/client.ts'
import { type Person, password } from '#test/harness/people.ts'

const app = await testApp()
const newPassword = 'quite another passphrase'

const forgot = (email: unknown) => app.newcomer().post('/api/auth/forgot-password', { email })
const reset = (token: unknown, chosen = newPassword) =>
  app.newcomer().post('/api/auth/reset-password', { token, password: chosen })
const login = (person: Person, given: string) =>
  app.newcomer().post('/api/auth/login', { email: person.email, password: given })

const tokenIn = (link: string): string => new URL(`http://x${link}`).searchParams.get('token') ?? ''
const mailedToken = async (person: Person, count = 1): Promise<string> => {
  await forgot(person.email)
  return tokenIn((await app.letterTo(person.email, count)).link())
}
const refused = { status: 400, body: { code: 'invalid_reset_token' } }

describe('forgetting a password', () => {
  it('is answered the same for every address, and tells nothing', async () => {
    const [ana, gone, owner] = [await app.user(), await app.user(), await app.platformOwner()]
    await owner.patch(`/api/admin/users/${gone.id}`, { status: 'DEACTIVATED' })
    for (const email of [ana.email, ` ${ana.email.toUpperCase()} `, gone.email, 'nobody@example.test', owner.email]) {
      const reply = await forgot(email)
      expect(reply).toMatchObject({ status: 202, text: '{"accepted":true}' })
      expect(reply.headers.get('set-cookie')).toBeNull()
    }
    await app.letterTo(ana.email, 2)
    expect(app.lettersTo(gone.email)).toEqual([])
    expect(app.lettersTo('nobody@example.test')).toEqual([])
    expect(app.lettersTo(owner.email)).toEqual([])
  })

  it('mails a link to our own page, and keeps only the hash of its token', async () => {
    const ana = await app.user()
    await forgot(ana.email)
    const letter = await app.letterTo(ana.email)
    expect(letter.subject).toBe('Reset your password')
    expect(letter.link()).toMatch(/^\/reset-password\?token=[\w-]{43}$/)
    const rows = await app.db.selectFrom('passwordResets').selectAll().where('userId', '=', ana.id).execute()
    expect(rows.map(({ tokenHash }) => tokenHash)).toEqual([hashToken(tokenIn(letter.link()))])
    expect(JSON.stringify(rows)).not.toContain(tokenIn(letter.link()))
  })

  it('emails at most three links an hour, from all requests together', async () => {
    const ana = await app.user()
    for (let asked = 0; asked < 6; asked += 1) expect(await forgot(ana.email)).toMatchObject({ status: 202 })
    await app.letterTo(ana.email, 3)
    const bob = await app.user()
    await mailedToken(bob)
    expect(app.lettersTo(ana.email)).toHaveLength(3)
  })
})

describe('resetting a password', () => {
  it('changes it, ends every session, and says so by mail', async () => {
    const ana = await app.user()
    const other = (await login(ana, password)).body.token
    const reply = await reset(await mailedToken(ana))
    expect(reply).toMatchObject({ status: 200, text: '{"changed":true}' })
    expect(reply.headers.get('set-cookie')).toBeNull()
    for (const token of [ana.token, other])
      expect(await app.newcomer().get('/api/auth/me', bearer(token))).toMatchObject({ status: 401 })
    expect(await login(ana, password)).toMatchObject({ status: 401 })
    expect(await login(ana, newPassword)).toMatchObject({ status: 200 })
    expect((await app.letterTo(ana.email, 2)).subject).toBe('Your password was changed')
  })

  it('works once, also for ten who use the link at the same moment', async () => {
    const ana = await app.user()
    const token = await mailedToken(ana)
    const replies = await Promise.all(Array.from({ length: 10 }, (_, index) => reset(token, `${newPassword} ${index}`)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)])
    expect(await reset(token)).toMatchObject(refused)
  })

  it('works within the hour only', async () => {
    const ana = await app.user()
    const token = await mailedToken(ana)
    app.clock.forward({ minutes: 60 })
    expect(await reset(token)).toMatchObject(refused)
    expect(await login(ana, password)).toMatchObject({ status: 200 })
  })

  it('works with the newest link only', async () => {
    const ana = await app.user()
    const [old, fresh] = [await mailedToken(ana, 1), await mailedToken(ana, 2)]
    expect(await reset(old)).toMatchObject(refused)
    expect(await reset(fresh)).toMatchObject({ status: 200 })
  })

  it('keeps the link when the new password is refused', async () => {
    const ana = await app.user()
    const token = await mailedToken(ana)
    expect(await reset(token, 'short')).toMatchObject({ status: 422 })
    expect(await reset(token, 'password')).toMatchObject({ status: 422, body: { code: 'password_too_common' } })
    expect(await reset(token)).toMatchObject({ status: 200 })
  })

  it('works no more for somebody who was deactivated meanwhile', async () => {
    const [ana, owner] = [await app.user(), await app.platformOwner()]
    const token = await mailedToken(ana)
    await owner.patch(`/api/admin/users/${ana.id}`, { status: 'DEACTIVATED' })
    expect(await reset(token)).toMatchObject(refused)
  })

  it.each([null, '', [], {}, 0, true, ['x'], { length: 43 }, 'x', 'x'.repeat(256), '%00', "' or 1=1--"])(
    'takes no %j for a token (A17)',
    async (token) => {
      const reply = await reset(token)
      expect([400, 422]).toContain(reply.status)
    },
  )

  it('takes neither an array around the right token nor the hash of it', async () => {
    const ana = await app.user()
    const token = await mailedToken(ana)
    expect(await reset([token])).toMatchObject({ status: 422 })
    expect(await reset(hashToken(token))).toMatchObject(refused)
    expect(await reset(`${token} `)).toMatchObject(refused)
    expect(await login(ana, password)).toMatchObject({ status: 200 })
  })
})
