import { describe, expect, it } from 'vitest'
import { bearer, createClient } from '#test/harness/client.ts'
import { addPerson, directoryOf, findBy, oktaUser, operations, usersPath } from '#test/harness/scim.ts'
import { sharedApp } from '#test/harness/shared-app.ts'

const app = await sharedApp()

describe('a token', () => {
  it('is one of two, ends, is revoked, and opens nothing else', async () => {
    const { boss, token, scim } = await directoryOf(app)
    const second = (await boss.post('/api/org/scim-tokens', { name: 'Next' })).body
    expect((await boss.post('/api/org/scim-tokens', { name: 'Third' })).status).toBe(409)
    expect((await scim.get('/api/auth/me')).status).toBe(401)
    expect((await scim.get('/api/org/team')).status).toBe(401)
    expect((await scim.get(usersPath)).status).toBe(200)
    const { items } = (await boss.get('/api/org/scim-tokens')).body
    expect(items).toMatchObject([{ lastUsedAt: expect.any(String) }, { lastUsedAt: null }])
    expect(JSON.stringify(items)).not.toContain(token)
    expect((await boss.delete(`/api/org/scim-tokens/${items[0].id}`)).status).toBe(204)
    const refused = await scim.get(usersPath)
    expect(refused.status).toBe(401)
    expect(refused.headers.get('content-type')).toContain('application/scim+json')
    expect(refused.headers.get('www-authenticate')).toContain('Bearer')
    const next = createClient(app.url, bearer(second.token))
    expect((await next.get(usersPath)).status).toBe(200)
    await app.db.updateTable('scimTokens').set({ expiresAt: app.clock.now() }).where('id', '=', second.id).execute()
    expect((await next.get(usersPath)).status).toBe(401)
    const past = { name: 'x', expiresAt: '2020-01-01T00:00:00Z' }
    expect((await boss.post('/api/org/scim-tokens', past)).status).toBe(422)
  })

  it('needs fresh proof', async () => {
    const { boss } = await directoryOf(app)
    await app.db.updateTable('sessions').set({ provedAt: null }).where('principalId', '=', boss.id).execute()
    app.clock.forward({ minutes: 6 })
    expect((await boss.post('/api/org/scim-tokens', { name: 'x' })).body).toMatchObject({
      code: 'fresh_proof_required',
    })
  })

  it('of an organization whose trial has ended reads and changes nothing', async () => {
    const firm = await directoryOf(app)
    const id = await addPerson(firm, 'ana')
    const owner = await app.platformOwner()
    const trialEndsAt = new Date(app.clock.now().getTime() - 1000).toISOString()
    await owner.patch(`/api/admin/organizations/${firm.boss.organizationId}`, { trialEndsAt })
    expect((await firm.scim.get(`${usersPath}/${id}`)).status).toBe(200)
    for (const reply of [
      await firm.scim.post(usersPath, oktaUser(firm.domain, 'x')),
      await firm.scim.delete(`${usersPath}/${id}`),
      await firm.scim.post('/scim/v2/Groups', { displayName: 'x' }),
    ])
      expect(reply).toMatchObject({ status: 403, body: { code: 'trial_expired' } })
  })
})

describe('the group of administrators', () => {
  it('makes its members administrators, and takes the role from those who leave it', async () => {
    const { scim, boss, ...firm } = await directoryOf(app)
    const ids = [await addPerson({ scim, boss, ...firm }, 'one'), await addPerson({ scim, boss, ...firm }, 'two')]
    const admins = { displayName: 'Admins', members: [{ value: ids[0] }] }
    const { id } = (await scim.post('/scim/v2/Groups', admins)).body
    const set = await boss.patch('/api/org/scim-settings', { adminGroup: id })
    expect(set.body).toMatchObject({ adminGroup: id, groups: 1 })
    const roles = async () => {
      const rows = await app.db.selectFrom('users').select('role').where('id', 'in', ids).orderBy('email').execute()
      return rows.map(({ role }) => role)
    }
    await expect.poll(roles, { timeout: 10_000 }).toEqual(['ROLE_ORG_ADMIN', 'ROLE_USER'])
    await scim.put(`/scim/v2/Groups/${id}`, { ...admins, members: [{ value: ids[1] }] })
    await expect.poll(roles, { timeout: 10_000 }).toEqual(['ROLE_USER', 'ROLE_ORG_ADMIN'])
    await scim.delete(`/scim/v2/Groups/${id}`)
    await expect.poll(roles, { timeout: 10_000 }).toEqual(['ROLE_USER', 'ROLE_USER'])
  })
})

describe('a bad request', async () => {
  const firm = await directoryOf(app)
  const address = `${usersPath}/${await addPerson(firm, 'ana')}`
  const many = operations(...Array(10_000).fill({ op: 'add', path: 'title', value: 'x' }))

  it.each([
    ['no JSON', 'POST', usersPath, '{', 400, 'invalidSyntax'],
    ['no object', 'POST', usersPath, '[]', 400, 'invalidSyntax'],
    ['nothing', 'POST', usersPath, '', 400, 'invalidSyntax'],
    ['no user name', 'POST', usersPath, '{"displayName":"x"}', 400, 'invalidValue'],
    ['no operations', 'PATCH', address, '{}', 400, 'invalidSyntax'],
    ['a group without a name', 'POST', '/scim/v2/Groups', '{}', 400, 'invalidValue'],
    ['ten megabytes', 'POST', usersPath, `{"x":"${'x'.repeat(10_000_000)}"}`, 413, undefined],
    ['too many operations', 'PATCH', address, JSON.stringify(many), 413, undefined],
  ])('with %s is refused as SCIM has it', async (_what, method, to, body, status, scimType) => {
    const headers = { 'content-type': 'application/scim+json; charset=utf-8' }
    const reply = await firm.scim.send(method, to, { body, headers })
    expect({ status: reply.status, body: reply.body }).toMatchObject({
      status,
      body: { status: String(status), ...(scimType && { scimType }) },
    })
  })

  it.each(['userName is "x"', 'title eq "x"', 'active gt 3', 'meta.created gt "yesterday"', '('.repeat(3000)])(
    'with the filter %.30s is refused',
    async (filter) => expect((await findBy(firm.scim, filter)).body).toMatchObject({ scimType: 'invalidFilter' }),
  )
})
