import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { bearer } from '#test/harness/client.ts'
import { password } from '#test/harness/people.ts'
import { testSecrets } from '#test/harness/secrets.ts'

const setupKey = testSecrets.ADMIN_SETUP_KEY
const olga = { name: 'Olga', email: 'olga@example.test', password }

describe('making the first platform admin', () => {
  it('needs the setup key: every other one is refused, and nothing is made', async () => {
    const app = await testApp()
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
      const reply = await app.newcomer().post('/api/admin/auth/setup', { setupKey: wrong, ...olga })
      expect(reply).toMatchObject({ status: 403, body: { code: 'wrong_setup_key' } })
      expect(reply.headers.get('set-cookie')).toBeNull()
    }
    expect((await app.anonymous.get('/api/admin/auth/setup')).body).toEqual({ needed: true })
    expect(await app.db.selectFrom('adminAccounts').select('id').execute()).toEqual([])
    await app.stop()
  })

  it('happens once, however many hold the key at the same moment (A20)', async () => {
    const app = await testApp()
    const other = await testApp({ databaseUrl: app.databaseUrl })
    const calls = Array.from({ length: 50 }, (_, index) =>
      (index % 2 ? app : other)
        .newcomer()
        .post('/api/admin/auth/setup', { setupKey, ...olga, email: `olga${index % 5}@example.test` }),
    )
    const replies = await Promise.all(calls)
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(49).fill(409)])
    for (const { status, body } of replies) if (status === 409) expect(body.code).toBe('already_set_up')
    expect(await app.db.selectFrom('adminAccounts').select('id').execute()).toHaveLength(1)
    expect(await app.db.selectFrom('sessions').select('id').execute()).toHaveLength(1)

    expect((await app.anonymous.get('/api/admin/auth/setup')).body).toEqual({ needed: false })
    const late = await app.newcomer().post('/api/admin/auth/setup', { setupKey, ...olga })
    expect(late).toMatchObject({ status: 409 })
    const guess = await app.newcomer().post('/api/admin/auth/setup', { setupKey: 'guess', ...olga })
    expect(guess).toMatchObject({ status: 403 })
    await other.stop()
    await app.stop()
  })

  it('can be tried again after a password that was refused', async () => {
    const app = await testApp()
    const weak = await app.newcomer().post('/api/admin/auth/setup', { setupKey, ...olga, password: 'password' })
    expect(weak).toMatchObject({ status: 422, body: { code: 'password_too_common' } })
    const reply = await app.newcomer().post('/api/admin/auth/setup', { setupKey, ...olga })
    expect(reply).toMatchObject({ status: 201, body: { tokenType: 'Bearer', user: { role: 'ROLE_PLATFORM_OWNER' } } })
    expect(Object.keys(reply.body.user).sort()).toEqual(
      ['active', 'createdAt', 'email', 'id', 'lastLoginAt', 'name', 'role'].sort(),
    )
    expect(await app.newcomer().get('/api/admin/auth/me', bearer(reply.body.token))).toMatchObject({ status: 200 })
    expect(reply.text).not.toContain(setupKey)
    await app.stop()
  })

  it('leaves the same address free for a person: the two never mix', async () => {
    const app = await testApp()
    await app.newcomer().post('/api/admin/auth/setup', { setupKey, ...olga })
    const person = { ...olga, password: 'the password of the person' }
    expect(await app.newcomer().post('/api/auth/register', person)).toMatchObject({ status: 201 })
    const cross = { email: olga.email, password }
    expect(await app.newcomer().post('/api/auth/login', cross)).toMatchObject({ status: 401 })
    expect(await app.newcomer().post('/api/admin/auth/login', { ...cross, password: person.password })).toMatchObject({
      status: 401,
    })
    expect(await app.newcomer().post('/api/admin/auth/login', cross)).toMatchObject({ status: 200 })
    await app.stop()
  })
})
