import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { bearer } from '#test/harness/client.ts'
import { type Person, password } from '#test/harness/people.ts'

const app = await testApp()

/** Somebody whose login asks for a code. */
const careful = async (): Promise<Person> => {
  const person = await app.user()
  expect(await person.patch('/api/auth/me', { loginOtp: true })).toMatchObject({
    status: 200,
    body: { loginOtp: true },
  })
  return person
}
const login = (person: Person) => app.newcomer().post('/api/auth/login', { email: person.email, password })
const challengeOf = async (person: Person): Promise<string> => (await login(person)).body.challengeId
const verify = (challengeId: string, otp: unknown, from = app.newcomer()) =>
  from.post('/api/auth/verify-login-otp', { challengeId, otp })
const resend = (challengeId: string) => app.newcomer().post('/api/auth/resend-login-otp', { challengeId })
const wrong = (code: string): string => (code === '123456' ? '654321' : '123456')
const refused = { status: 401, body: { code: 'invalid_otp' } }

it('can be told beforehand whether codes can be mailed', async () => {
  expect(await app.newcomer().get('/api/auth/mail')).toMatchObject({ status: 200, body: { configured: true } })
})

describe('the second step of a login (A15)', () => {
  it('replaces the token by a challenge, and the mailed code by a token', async () => {
    const ana = await careful()
    const first = await login(ana)
    expect(first).toMatchObject({ status: 200, body: { otpRequired: true, expiresIn: 300, resendAfter: 60 } })
    expect(first.body).toMatchObject({ methods: ['email'], canRememberBrowser: true })
    expect(first.headers.get('set-cookie')).toBeNull()

    const second = await verify(first.body.challengeId, ` ${(await app.letterTo(ana.email)).code()} `)
    expect(second).toMatchObject({ status: 200, body: { tokenType: 'Bearer', user: { id: ana.id } } })
    expect(second.headers.get('set-cookie')).toContain(second.body.token)
    expect(await app.newcomer().get('/api/auth/me', bearer(second.body.token))).toMatchObject({ status: 200 })
  })

  it('cannot be skipped: the challenge is no credential', async () => {
    const ana = await careful()
    const id = await challengeOf(ana)
    for (const headers of [bearer(id), { 'x-api-key': id }, { cookie: `token=${id}` }])
      expect(await app.newcomer().get('/api/auth/me', headers)).toMatchObject({ status: 401 })
  })

  it('mails and keeps nothing for a wrong password', async () => {
    const ana = await careful()
    const reply = await app.newcomer().post('/api/auth/login', { email: ana.email, password: 'wrong' })
    expect(reply).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
    const rows = await app.db.selectFrom('loginChallenges').select('id').where('userId', '=', ana.id).execute()
    expect(rows).toEqual([])
  })

  it('keeps the code only as a MAC', async () => {
    const ana = await careful()
    const id = await challengeOf(ana)
    const code = (await app.letterTo(ana.email)).code()
    const row = await app.db.selectFrom('loginChallenges').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(row.codeMac).toMatch(/^[\w-]{43}$/)
    expect(row.codeMac).not.toContain(code)
  })

  it('takes a code once, also when it is sent twenty times at the same moment', async () => {
    const ana = await careful()
    const id = await challengeOf(ana)
    const code = (await app.letterTo(ana.email)).code()
    const replies = await Promise.all(Array.from({ length: 20 }, () => verify(id, code)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await verify(id, code)).toMatchObject(refused)
    expect(await resend(id)).toMatchObject(refused)
  })

  it('takes a code only for its own challenge', async () => {
    const ana = await careful()
    const first = await challengeOf(ana)
    app.clock.forward({ minutes: 1 })
    const second = await challengeOf(ana)
    const letters = [await app.letterTo(ana.email, 1), await app.letterTo(ana.email, 2)]
    const codes = letters.map((letter) => letter.code())
    const other = await careful()
    const foreign = await challengeOf(other)
    for (const code of codes) expect(await verify(foreign, code)).toMatchObject(refused)
    const outcomes = [await verify(first, codes[1]), await verify(second, codes[0])]
    if (codes[0] !== codes[1]) for (const outcome of outcomes) expect(outcome).toMatchObject(refused)
    expect(await verify(app.unknownId(), codes[0])).toMatchObject(refused)
  })

  it('ends after five wrong codes, even for the right one', async () => {
    const ana = await careful()
    const id = await challengeOf(ana)
    const code = (await app.letterTo(ana.email)).code()
    for (let tries = 0; tries < 5; tries += 1) expect(await verify(id, wrong(code))).toMatchObject(refused)
    expect(await verify(id, code)).toMatchObject(refused)
    app.clock.forward({ minutes: 2 })
    expect(await resend(id)).toMatchObject(refused)
  })

  it('counts a hundred parallel guesses: five are tried and the challenge is over', async () => {
    const ana = await careful()
    const id = await challengeOf(ana)
    const code = (await app.letterTo(ana.email)).code()
    const guesses = Array.from({ length: 100 }, (_, index) => String(index + 100_000)).filter((each) => each !== code)
    const replies = await Promise.all(guesses.map((guess) => verify(id, guess)))
    for (const reply of replies) expect(reply).toMatchObject(refused)
    const { failures } = await app.db
      .selectFrom('loginChallenges')
      .select('failures')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(failures).toBe(5)
    expect(await verify(id, code)).toMatchObject(refused)
  })

  it('ends five minutes after the code was sent', async () => {
    const ana = await careful()
    const id = await challengeOf(ana)
    const code = (await app.letterTo(ana.email)).code()
    app.clock.forward({ minutes: 5, ms: 1 })
    expect(await verify(id, code)).toMatchObject(refused)
  })

  it('is refused to somebody who was deactivated between the steps', async () => {
    const [ana, owner] = [await careful(), await app.platformOwner()]
    const id = await challengeOf(ana)
    const code = (await app.letterTo(ana.email)).code()
    await owner.patch(`/api/admin/users/${ana.id}`, { status: 'DEACTIVATED' })
    expect(await verify(id, code)).toMatchObject(refused)
    expect(await resend(id)).toMatchObject(refused)
  })

  it.each([null, '', [], {}, 0, 123456, ['123456'], '000000000000000000000000000000000', "' or '1'='1"])(
    'takes no %j for a code',
    async (otp) => {
      const id = await challengeOf(await careful())
      const reply = await verify(id, otp)
      expect([401, 422]).toContain(reply.status)
      expect(reply.headers.get('set-cookie')).toBeNull()
    },
  )
})

describe('another code', () => {
  it('waits a minute, says how long, and then kills the old code', async () => {
    const ana = await careful()
    const id = await challengeOf(ana)
    const old = (await app.letterTo(ana.email)).code()
    const tooSoon = await resend(id)
    expect(tooSoon).toMatchObject({ status: 429, body: { code: 'otp_resend_too_soon' } })
    const waitSec = Number(tooSoon.headers.get('retry-after'))
    expect(waitSec).toBeGreaterThan(0)
    expect(waitSec).toBeLessThanOrEqual(60)

    app.clock.forward({ ms: waitSec * 1000 })
    expect(await resend(id)).toMatchObject({ status: 200, body: { challengeId: id, expiresIn: 300, resendAfter: 60 } })
    const fresh = (await app.letterTo(ana.email, 2)).code()
    if (old !== fresh) expect(await verify(id, old)).toMatchObject(refused)
    expect(await verify(id, fresh)).toMatchObject({ status: 200 })
  })

  it('is one mail, not ten, for ten who ask at once', async () => {
    const ana = await careful()
    const id = await challengeOf(ana)
    app.clock.forward({ minutes: 1 })
    const replies = await Promise.all(Array.from({ length: 10 }, () => resend(id)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(429)])
  })

  it('does not give back the tries that were spent', async () => {
    const ana = await careful()
    const id = await challengeOf(ana)
    for (let round = 1; round <= 2; round += 1) {
      const code = (await app.letterTo(ana.email, round)).code()
      for (let tries = 0; tries < 2; tries += 1) await verify(id, wrong(code))
      app.clock.forward({ minutes: 1 })
      expect(await resend(id)).toMatchObject({ status: 200 })
    }
    const last = (await app.letterTo(ana.email, 3)).code()
    expect(await verify(id, wrong(last))).toMatchObject(refused)
    expect(await verify(id, last)).toMatchObject(refused)
  })

  it('does not keep a challenge alive for ever', async () => {
    const ana = await careful()
    const id = await challengeOf(ana)
    for (let minutes = 0; minutes < 28; minutes += 4) {
      app.clock.forward({ minutes: 4 })
      expect(await resend(id)).toMatchObject({ status: 200 })
    }
    app.clock.forward({ minutes: 4 })
    expect(await resend(id)).toMatchObject(refused)
  })

  it('replaces one that has expired', async () => {
    const ana = await careful()
    const id = await challengeOf(ana)
    await app.letterTo(ana.email)
    app.clock.forward({ minutes: 10 })
    expect(await resend(id)).toMatchObject({ status: 200 })
    expect(await verify(id, (await app.letterTo(ana.email, 2)).code())).toMatchObject({ status: 200 })
  })
})

describe('twenty wrong codes of one account within the hour', () => {
  it('end every challenge of it, also ten minutes later, and not after the hour', async () => {
    const ana = await careful()
    for (let round = 1; round <= 4; round += 1) {
      const id = await challengeOf(ana)
      const code = (await app.letterTo(ana.email, round)).code()
      for (let tries = 0; tries < 5; tries += 1) await verify(id, wrong(code))
    }
    app.clock.forward({ minutes: 10 })
    const shut = await challengeOf(ana)
    expect(await verify(shut, (await app.letterTo(ana.email, 5)).code())).toMatchObject(refused)

    app.clock.forward({ minutes: 61 })
    const open = await challengeOf(ana)
    expect(await verify(open, (await app.letterTo(ana.email, 6)).code())).toMatchObject({ status: 200 })
  })
})
