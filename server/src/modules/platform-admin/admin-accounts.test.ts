import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { bearer, createClient } from '#test/harness/client.ts'
import { password } from '#test/harness/people.ts'

const app = await testApp()
const owner = await app.platformOwner()

let made = 0
const newAdmin = async () => {
  made += 1
  const body = { name: `Admin ${made}`, email: `admin${made}@example.test`, password }
  const reply = await owner.post('/api/admin/auth/accounts', body)
  expect(reply.status).toBe(201)
  return { ...body, id: reply.body.id as string }
}
const signIn = (email: string, given = password, from = app.newcomer()) =>
  from.post('/api/admin/auth/login', { email, password: given })
const clientOf = (token: string) => createClient(app.url, bearer(token))

describe('signing in as a platform admin', () => {
  it('answers with a token for the admin doors, and notes when', async () => {
    const ada = await newAdmin()
    const reply = await signIn(` ${ada.email.toUpperCase()} `)
    expect(reply).toMatchObject({ status: 200, body: { tokenType: 'Bearer', user: { id: ada.id, active: true } } })
    expect(reply.body.user.lastLoginAt).not.toBeNull()
    expect(reply.headers.get('set-cookie')).toContain(reply.body.token)
    expect(await clientOf(reply.body.token).get('/api/admin/users')).toMatchObject({ status: 200 })
  })

  it('gives unknown, wrong, locked and deactivated one answer', async () => {
    const [wrong, locked, gone] = [await newAdmin(), await newAdmin(), await newAdmin()]
    await owner.patch(`/api/admin/auth/accounts/${gone.id}`, { active: false })
    const stranger = app.newcomer()
    for (let tries = 0; tries < 6; tries += 1) await signIn(locked.email, 'guess', stranger)
    const replies = [
      await signIn('nobody@example.test'),
      await signIn(wrong.email, 'guess'),
      await signIn(locked.email, password, stranger),
      await signIn(gone.email),
    ]
    for (const { status, body } of replies)
      expect({ status, ...body, request_id: '' }).toEqual({
        status: 401,
        detail: 'The email or password is incorrect.',
        code: 'invalid_credentials',
        request_id: '',
      })
    expect(await signIn(locked.email)).toMatchObject({ status: 200 })
  })

  it('ends with the logout', async () => {
    const { token } = (await signIn((await newAdmin()).email)).body
    expect(await clientOf(token).post('/api/admin/auth/logout')).toMatchObject({ status: 204 })
    expect(await clientOf(token).get('/api/admin/auth/me')).toMatchObject({ status: 401 })
  })
})

describe('the accounts of platform admins', () => {
  it('are listed without anything secret', async () => {
    const ada = await newAdmin()
    const { body, text } = await owner.get('/api/admin/auth/accounts?limit=200')
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining([owner.id, ada.id]))
    expect(body.total).toBe(body.items.length)
    expect(text).not.toMatch(/hash|\$2b\$/i)
  })

  it('have one address each, also when two are made at once', async () => {
    const body = { name: 'Twin', email: 'twin@example.test', password }
    const replies = await Promise.all(Array.from({ length: 6 }, () => owner.post('/api/admin/auth/accounts', body)))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409])
    for (const reply of replies) if (reply.status === 409) expect(reply.body.code).toBe('email_taken')
    const rows = await app.db.selectFrom('adminAccounts').select('id').where('email', '=', body.email).execute()
    expect(rows).toHaveLength(1)
  })

  it('cannot be made by mass assignment into something else', async () => {
    const body = { name: 'M', email: 'mass@example.test', password }
    for (const extra of [{ role: 'ROLE_USER' }, { active: false }, { id: app.unknownId() }])
      expect(await owner.post('/api/admin/auth/accounts', { ...body, ...extra })).toMatchObject({ status: 422 })
  })

  it('lose tokens and keys at once when deactivated, and get new ones after reactivation', async () => {
    const ada = await newAdmin()
    const { token } = (await signIn(ada.email)).body
    const { key } = (await clientOf(token).post('/api/v1/api-keys', { name: 'k' })).body
    for (const credential of [token, key])
      expect(await clientOf(credential).get('/api/admin/auth/me')).toMatchObject({ status: 200 })

    expect(await owner.patch(`/api/admin/auth/accounts/${ada.id}`, { active: false })).toMatchObject({
      status: 200,
      body: { id: ada.id, active: false },
    })
    for (const credential of [token, key])
      expect(await clientOf(credential).get('/api/admin/auth/me')).toMatchObject({ status: 401 })
    await owner.patch(`/api/admin/auth/accounts/${ada.id}`, { active: true })
    expect(await clientOf(token).get('/api/admin/auth/me')).toMatchObject({ status: 401 })
    expect(await signIn(ada.email)).toMatchObject({ status: 200 })
  })

  it('that do not exist are 404', async () => {
    const reply = await owner.patch(`/api/admin/auth/accounts/${app.unknownId()}`, { active: false })
    expect(reply).toMatchObject({ status: 404, body: { code: 'admin_not_found' } })
  })
})

describe("a platform admin's own account", () => {
  it('changes its password, which ends its other sessions, and shows where it is signed in', async () => {
    const owner = await app.platformOwner()
    const email = `own.${app.unknownId()}@example.test`
    await owner.post('/api/admin/auth/accounts', { name: 'Own', email, password })
    const login = async (given: string) =>
      (await app.newcomer().post('/api/admin/auth/login', { email, password: given })).body.token as string
    const [first, second] = [await login(password), await login(password)]
    const ask = (token: string, path: string) => app.newcomer().get(`/api/admin/auth/${path}`, bearer(token))
    expect((await ask(first, 'sessions')).body.sessions).toHaveLength(2)

    const change = (body: object) => app.newcomer().post('/api/admin/auth/change-password', body, bearer(first))
    const next = 'another perfectly fine passphrase'
    expect(await change({ currentPassword: 'wrong', newPassword: next })).toMatchObject({ status: 403 })
    expect(await change({ currentPassword: password, newPassword: next })).toMatchObject({ status: 204 })
    expect([(await ask(first, 'me')).status, (await ask(second, 'me')).status]).toEqual([200, 401])
    expect(await login(next)).toBeDefined()

    const { sessions } = (await ask(first, 'sessions')).body
    const other = sessions.find(({ current }: { current: boolean }) => !current)
    const ended = await app.newcomer().delete(`/api/admin/auth/sessions/${other.id}`, bearer(first))
    expect(ended.status).toBe(204)
    expect((await ask(first, 'sessions')).body.sessions).toHaveLength(1)
  })
})

describe('the last active platform admin', () => {
  const clientAs = async (email: string) => clientOf((await signIn(email)).body.token)
  const leaveOwnerAlone = () =>
    app.db.updateTable('adminAccounts').set({ active: false }).where('id', '!=', owner.id).execute()

  it('stays', async () => {
    await leaveOwnerAlone()
    const reply = await owner.patch(`/api/admin/auth/accounts/${owner.id}`, { active: false })
    expect(reply).toMatchObject({ status: 409, body: { code: 'last_admin' } })
    expect(await owner.get('/api/admin/auth/me')).toMatchObject({ status: 200, body: { active: true } })
  })

  it('stays when two deactivate each other at the same moment, again and again', async () => {
    await leaveOwnerAlone()
    const other = await newAdmin()
    for (let round = 0; round < 8; round += 1) {
      const [one, two] = [await clientAs(owner.email), await clientAs(other.email)]
      const replies = await Promise.all([
        one.patch(`/api/admin/auth/accounts/${other.id}`, { active: false }),
        two.patch(`/api/admin/auth/accounts/${owner.id}`, { active: false }),
      ])
      const statuses = replies.map(({ status }) => status).sort()
      expect(statuses[0]).toBe(200)
      expect([401, 409]).toContain(statuses[1])
      const active = await app.db.selectFrom('adminAccounts').select('id').where('active', '=', true).execute()
      expect(active).toHaveLength(1)
      const both = [owner.id, other.id]
      await app.db.updateTable('adminAccounts').set({ active: true }).where('id', 'in', both).execute()
    }
  })
})
