import { describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#test/harness/app.ts'
import { bearer } from '#test/harness/client.ts'
import { password } from '#test/harness/people.ts'
import { testSecrets } from '#test/harness/secrets.ts'

const setupKey = testSecrets.ADMIN_SETUP_KEY
const olga = { name: 'Olga', email: 'olga@example.test', password }

const app = await testApp()
const setUp = (body: object, from: TestApp = app) =>
  from.newcomer().post('/api/admin/auth/setup', { setupKey, ...olga, ...body })

/** One after the other on one installation, which is set up once. */
describe('making the first platform admin', () => {
  it('needs the setup key: every other one is refused, and nothing is made', async () => {
    expect((await app.anonymous.get('/api/admin/auth/setup')).body).toEqual({ needed: true })
    for (const wrong of [
      '',
      'x',
      setupKey.slice(0, -1),
      `${setupKey} `,
      setupKey.toUpperCase(),
      'ключ',
      'x'.repeat(512),
    ]) {
      const reply = await setUp({ setupKey: wrong })
      expect(reply).toMatchObject({ status: 403, body: { code: 'wrong_setup_key' } })
      expect(reply.headers.get('set-cookie')).toBeNull()
    }
    expect((await app.anonymous.get('/api/admin/auth/setup')).body).toEqual({ needed: true })
    expect(await app.db.selectFrom('adminAccounts').select('id').execute()).toEqual([])
  })

  it('can be tried again after a password that was refused, and happens once, however many hold the key at the same moment (A20)', async () => {
    const weak = await setUp({ password: 'password' })
    expect(weak).toMatchObject({ status: 422, body: { code: 'password_too_common' } })

    const other = await testApp({ databaseUrl: app.databaseUrl })
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        setUp({ email: `olga${index % 5}@example.test` }, index % 2 ? app : other),
      ),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(49).fill(409)])
    for (const { status, body } of replies) if (status === 409) expect(body.code).toBe('already_set_up')
    expect(await app.db.selectFrom('adminAccounts').select('id').execute()).toHaveLength(1)
    expect(await app.db.selectFrom('sessions').select('id').execute()).toHaveLength(1)

    const first = replies.find(({ status }) => status === 201)
    expect(first).toMatchObject({ body: { tokenType: 'Bearer', user: { role: 'ROLE_PLATFORM_OWNER' } } })
    expect(Object.keys(first?.body.user).sort()).toEqual(
      ['active', 'createdAt', 'email', 'id', 'lastLoginAt', 'name', 'role'].sort(),
    )
    expect(await app.newcomer().get('/api/admin/auth/me', bearer(first?.body.token))).toMatchObject({ status: 200 })
    expect(first?.text).not.toContain(setupKey)

    expect((await app.anonymous.get('/api/admin/auth/setup')).body).toEqual({ needed: false })
    expect(await setUp({})).toMatchObject({ status: 409 })
    expect(await setUp({ setupKey: 'guess' })).toMatchObject({ status: 403 })
    await other.stop()
  })

  it('leaves the same address free for a person: the two never mix', async () => {
    const { email } = await app.db.selectFrom('adminAccounts').select('email').executeTakeFirstOrThrow()
    const person = { ...olga, email, password: 'the password of the person' }
    expect(await app.newcomer().post('/api/auth/register', person)).toMatchObject({ status: 201 })
    const cross = { email, password }
    expect(await app.newcomer().post('/api/auth/login', cross)).toMatchObject({ status: 401 })
    expect(await app.newcomer().post('/api/admin/auth/login', { ...cross, password: person.password })).toMatchObject({
      status: 401,
    })
    expect(await app.newcomer().post('/api/admin/auth/login', cross)).toMatchObject({ status: 200 })
  })
})
