/** A14: no answer tells whether an address has an account. (Its time is measured in `npm run bench -- login-timing`.) */
import { describe, expect, it } from 'vitest'
import type { Reply } from '#test/harness/client.ts'
import { sharedApp } from '#test/harness/shared-app.ts'

const app = await sharedApp()
const known = (await app.user()).email
const unknown = 'nobody.at.all@example.test'

/** All that a stranger sees, but for the name of the request and the time of day. */
const seen = ({ status, body, headers }: Reply) => ({
  status,
  body: { ...body, request_id: undefined, challengeId: undefined },
  headers: [...headers.keys()].filter((name) => name !== 'date').sort(),
})

const questions: [string, (email: string) => Promise<Reply>][] = [
  ['a refused login', (email) => app.newcomer().post('/api/auth/login', { email, password: 'not this one' })],
  ['a forgotten password', (email) => app.newcomer().post('/api/auth/forgot-password', { email })],
  ['the login mode', (email) => app.newcomer().get(`/api/auth/resolve-login-mode?email=${encodeURIComponent(email)}`)],
  ['a platform login', (email) => app.newcomer().post('/api/admin/auth/login', { email, password: 'not this one' })],
]

describe('asking about an address (A14)', () => {
  it.each(questions)('%s answers alike for a known and an unknown one', async (_name, ask) => {
    expect(seen(await ask(known))).toEqual(seen(await ask(unknown)))
  })

  it('never hands out a reset token but by mail', async () => {
    const reply = await app.newcomer().post('/api/auth/forgot-password', { email: known })
    const token = new URL((await app.letterTo(known)).link(), app.url).searchParams.get('token') ?? ''
    expect(token.length).toBeGreaterThan(40)
    expect(reply.text).not.toContain(token)
    expect([...reply.headers.values()].join()).not.toContain(token)
  })

  it('counts a failure for an unknown address as it does for a known one, so that delays tell nothing either', async () => {
    const counted = async (email: string) => {
      const before = await app.db.selectFrom('loginFailures').select('bucket').execute()
      await app.newcomer().post('/api/auth/login', { email, password: 'not this one' })
      const after = await app.db.selectFrom('loginFailures').select('bucket').execute()
      return after.length - before.length
    }
    expect(await counted('first.unknown@example.test')).toBe(await counted((await app.user()).email))
  })
})
