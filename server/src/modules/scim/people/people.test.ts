import { describe, expect, it } from 'vitest'
import { addPerson, directoryOf, findBy, oktaUser, operations, usersPath } from '#test/harness/scim.ts'
import { sharedApp } from '#test/harness/shared-app.ts'

const app = await sharedApp()
const off = operations({ op: 'replace', value: { active: false } })
const on = operations({ op: 'replace', path: 'active', value: true })

describe('a person', () => {
  it('who is a member already is linked once, and keeps what is theirs', async () => {
    const { scim, domain, boss } = await directoryOf(app)
    const ana = await app.user({ email: `ana@${domain}` })
    await app.db.updateTable('users').set({ organizationId: boss.organizationId }).where('id', '=', ana.id).execute()
    expect(await scim.post(usersPath, oktaUser(domain, 'ana'))).toMatchObject({ status: 201, body: { id: ana.id } })
    expect((await ana.get('/api/auth/me')).body).toMatchObject({ id: ana.id, name: 'Test User' })
    expect(await scim.post(usersPath, oktaUser(domain, 'ana'))).toMatchObject({
      status: 409,
      body: { scimType: 'uniqueness', status: '409' },
    })
  })

  it('of no verified domain, or of another organization, is not taken', async () => {
    const [firm, other] = [await directoryOf(app), await directoryOf(app)]
    const theirs = await addPerson(other, 'theirs')
    expect(await firm.scim.post(usersPath, oktaUser('elsewhere.example'))).toMatchObject({
      status: 400,
      body: { scimType: 'invalidValue', detail: expect.stringContaining('not a verified domain') },
    })
    const stranger = await app.user({
      email: `stranger@${firm.domain}`,
      org: `other ${app.unknownId()}`,
      isProven: true,
    })
    expect(await firm.scim.post(usersPath, oktaUser(firm.domain, 'stranger'))).toMatchObject({
      status: 409,
      body: { scimType: 'uniqueness' },
    })
    for (const id of [theirs, stranger.id])
      for (const reply of [
        await firm.scim.get(`${usersPath}/${id}`),
        await firm.scim.patch(`${usersPath}/${id}`, off),
        await firm.scim.put(`${usersPath}/${id}`, oktaUser(firm.domain)),
        await firm.scim.delete(`${usersPath}/${id}`),
      ])
        expect(reply).toMatchObject({ status: 404, body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'] } })
    const group = await firm.scim.post('/scim/v2/Groups', { displayName: 'G', members: [{ value: theirs }] })
    expect(group).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    expect((await other.scim.get(`${usersPath}/${theirs}`)).body.active).toBe(true)
  })

  it('is made once when several requests race', async () => {
    const { scim, domain } = await directoryOf(app)
    const replies = await Promise.all([1, 2, 3].map(() => scim.post(usersPath, oktaUser(domain, 'racer'))))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  })

  it('gets no user name that somebody else has', async () => {
    const firm = await directoryOf(app)
    await addPerson(firm, 'ana')
    const bob = { ...oktaUser(firm.domain, 'bob'), userName: `ana@${firm.domain}` }
    expect((await firm.scim.post(usersPath, bob)).status).toBe(409)
    expect((await firm.scim.post(usersPath, { ...bob, userName: 'bob' })).status).toBe(201)
    const eve = { ...oktaUser(firm.domain, 'eve'), userName: 'BOB' }
    expect((await firm.scim.post(usersPath, eve)).status).toBe(409)
  })

  it('who is deactivated loses their sessions; who is deleted is unknown, stays here, and may come back', async () => {
    const { scim, domain, boss } = await directoryOf(app)
    const ana = await app.user({ email: `ana@${domain}` })
    await app.db.updateTable('users').set({ organizationId: boss.organizationId }).where('id', '=', ana.id).execute()
    await scim.post(usersPath, oktaUser(domain, 'ana'))
    expect((await scim.delete(`${usersPath}/${ana.id}`)).status).toBe(204)
    expect((await ana.get('/api/auth/me')).status).toBe(401)
    expect((await scim.get(`${usersPath}/${ana.id}`)).status).toBe(404)
    expect((await findBy(scim, `userName eq "ana@${domain}"`)).body.totalResults).toBe(0)
    expect((await boss.get(`/api/org/team?search=ana@${domain}`)).text).toContain('DEACTIVATED')
    const back = await scim.post(usersPath, oktaUser(domain, 'ana'))
    expect(back).toMatchObject({ status: 201, body: { id: ana.id, active: true } })
  })

  it('whom an administrator deactivated is let in again by them alone', async () => {
    const firm = await directoryOf(app)
    const id = await addPerson(firm, 'ana')
    await firm.boss.post(`/api/org/team/${id}/deactivate`)
    expect(await firm.scim.patch(`${usersPath}/${id}`, on)).toMatchObject({
      status: 409,
      body: { code: 'deactivated_here' },
    })
    await firm.boss.post(`/api/org/team/${id}/reactivate`)
    expect((await firm.scim.get(`${usersPath}/${id}`)).body.active).toBe(true)
  })

  it('who is the last administrator stays', async () => {
    const { scim, boss } = await directoryOf(app)
    for (const reply of [
      await scim.patch(`${usersPath}/${boss.id}`, off),
      await scim.delete(`${usersPath}/${boss.id}`),
    ])
      expect(reply).toMatchObject({ status: 409, body: { code: 'last_admin' } })
    expect((await boss.get('/api/auth/me')).status).toBe(200)
  })

  it('takes a seat like anybody', async () => {
    const { scim, domain, boss } = await directoryOf(app)
    const owner = await app.platformOwner()
    await owner.patch(`/api/admin/organizations/${boss.organizationId}`, { limits: { members: 1 } })
    expect((await scim.post(usersPath, oktaUser(domain))).body).toMatchObject({ code: 'plan_limit_reached' })
  })

  it('may be brought inactive, and be let in later', async () => {
    const { scim, domain } = await directoryOf(app)
    const made = await scim.post(usersPath, { ...oktaUser(domain), active: false })
    expect(made).toMatchObject({ status: 201, body: { active: false } })
    expect((await scim.patch(`${usersPath}/${made.body.id}`, on)).body).toMatchObject({ active: true })
  })

  it('is changed only as it was read, where a version is named', async () => {
    const firm = await directoryOf(app)
    const address = `${usersPath}/${await addPerson(firm, 'ana')}`
    const version = (await firm.scim.get(address)).headers.get('etag') ?? ''
    const rename = (name: string) =>
      firm.scim.patch(address, operations({ op: 'replace', path: 'displayName', value: name }), { 'if-match': version })
    expect((await firm.scim.get(address, { 'if-none-match': version })).status).toBe(304)
    expect((await rename('Second')).status).toBe(200)
    expect((await rename('Third')).status).toBe(412)
  })
})

describe('many deactivations within an hour', () => {
  it('are held until an administrator allows them, and said once', async () => {
    const firm = await directoryOf(app)
    const ids: string[] = []
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) ids.push(await addPerson(firm, name))
    const statuses: number[] = []
    for (const id of ids) statuses.push((await firm.scim.patch(`${usersPath}/${id}`, off)).status)
    expect(statuses).toEqual([200, 200, 200, 403, 403, 403])
    expect((await firm.boss.get('/api/org/scim-settings')).body).toMatchObject({
      people: 6,
      held: expect.any(String),
      lastRefusal: { why: expect.stringContaining('mistake') },
    })
    const held = app.db.selectFrom('auditLog').select('id').where('action', '=', 'scim.hold_deactivations')
    expect(await held.where('organizationId', '=', firm.boss.organizationId).execute()).toHaveLength(1)
    expect((await firm.boss.post('/api/org/scim-settings/allow-deactivations')).body).toMatchObject({ held: null })
    for (const id of ids.slice(3)) expect((await firm.scim.patch(`${usersPath}/${id}`, off)).status).toBe(200)
  })
})
