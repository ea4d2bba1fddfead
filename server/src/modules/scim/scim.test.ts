/** The requests of Entra ID, Okta and Keycloak, in the shapes that their documents show. */
import { describe, expect, it } from 'vitest'
import { addPerson, core, directoryOf, findBy, oktaUser, operations, usersPath } from '#test/harness/scim.ts'
import { sharedApp } from '#test/harness/shared-app.ts'

const app = await sharedApp()

describe('Okta', async () => {
  const firm = await directoryOf(app)
  const { scim, domain, boss } = firm
  const userName = `test.user@${domain}`

  it('adds somebody it did not find', async () => {
    const none = await findBy(scim, `userName eq "${userName}"`, '&startIndex=1&count=100')
    expect(none.headers.get('content-type')).toContain('application/scim+json')
    expect(none.body).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 0,
      startIndex: 1,
      itemsPerPage: 0,
      Resources: [],
    })
    const made = await scim.post(usersPath, oktaUser(domain))
    expect(made).toMatchObject({
      status: 201,
      body: { userName, active: true, displayName: 'Test User', name: { givenName: 'Test', familyName: 'User' } },
    })
    expect(made.headers.get('location')).toBe(made.body.meta.location)
    expect(made.text).not.toContain('1mz050nq')
    expect((await boss.get(`/api/org/team?search=${userName}`)).text).toContain(made.body.id)
  })

  it('replaces a whole person, and deactivates by a value without a path', async () => {
    const { id } = (await findBy(scim, `userName eq "${userName}"`)).body.Resources[0]
    const name = { givenName: 'Another', familyName: 'User' }
    const other = { ...oktaUser(domain), id, name, displayName: 'Another User' }
    const replaced = await scim.put(`${usersPath}/${id}`, other)
    expect(replaced).toMatchObject({ status: 200, body: { displayName: 'Another User' } })
    for (const active of [false, true]) {
      const reply = await scim.patch(`${usersPath}/${id}`, operations({ op: 'replace', value: { active } }))
      expect(reply).toMatchObject({ status: 200, body: { active } })
    }
  })

  it('pushes a group, its name and its members', async () => {
    const id = await addPerson(firm, 'member')
    const made = await scim.post('/scim/v2/Groups', {
      schemas: [`${core}:Group`],
      displayName: 'Test SCIMv2',
      members: [{ value: id, display: userName }],
    })
    const members = [{ value: id, type: 'User' }]
    expect(made).toMatchObject({ status: 201, body: { displayName: 'Test SCIMv2', members } })
    const address = `/scim/v2/Groups/${made.body.id}`
    const renamed = operations({ op: 'replace', value: { id: made.body.id, displayName: 'Renamed' } })
    expect((await scim.patch(address, renamed)).status).toBe(204)
    const removed = operations({ op: 'remove', path: `members[value eq "${id}"]` })
    expect((await scim.patch(address, removed)).status).toBe(204)
    expect((await scim.get(address)).body).toMatchObject({ displayName: 'Renamed', members: [] })
    expect((await boss.get(`/api/org/groups/${made.body.id}`)).body).toMatchObject({ name: 'Renamed' })
    expect((await scim.delete(address)).status).toBe(204)
    expect((await scim.get(address)).status).toBe(404)
  })
})

describe('Entra ID', async () => {
  const firm = await directoryOf(app)
  const { scim, domain } = firm
  /** As Microsoft's tutorial has it. */
  const person = {
    schemas: [`${core}:User`, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
    externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
    userName: 'Test_User_ab6490ee@tenant.onmicrosoft.test',
    active: true,
    emails: [{ primary: true, type: 'work', value: `Test_User@${domain}` }],
    meta: { resourceType: 'User' },
    name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
    roles: [],
  }

  it('adds somebody whose user name is not their email, and finds them in any case', async () => {
    const made = await scim.post(usersPath, person)
    expect(made).toMatchObject({ status: 201, body: { emails: [{ value: `test_user@${domain}` }] } })
    const { id } = made.body
    for (const filter of [
      'userName eq "TEST_User_ab6490ee@tenant.onmicrosoft.test"',
      `externalId eq "${person.externalId}"`,
      `emails[type eq "work" and value eq "Test_User@${domain}"]`,
      `emails.value eq "Test_User@${domain}" and active eq true`,
      'displayName co "familyname" and not (userName sw "x")',
      `id eq "${id}" and name.givenName ew "NAME" and meta.created gt "2020-01-01T00:00:00Z"`,
    ])
      expect({ filter, body: (await findBy(scim, filter)).body }).toMatchObject({ body: { Resources: [{ id }] } })
    expect((await findBy(scim, `userName eq "test_user@${domain}"`)).body.totalResults).toBe(0)
  })

  it('changes and deactivates with operations in any case and booleans as texts', async () => {
    const { id } = (await findBy(scim, `externalId eq "${person.externalId}"`)).body.Resources[0]
    const department = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department'
    const changed = await scim.patch(
      `${usersPath}/${id}`,
      operations(
        { op: 'Replace', path: 'emails[type eq "work"].value', value: `updated@${domain}` },
        { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
        { op: 'Add', path: department, value: 'x' },
      ),
    )
    expect(changed).toMatchObject({
      status: 200,
      body: { emails: [{ value: `updated@${domain}` }], displayName: 'givenName updatedFamilyName' },
    })
    for (const [value, active] of [
      ['False', false],
      ['True', true],
    ]) {
      const reply = await scim.patch(`${usersPath}/${id}`, operations({ op: 'Replace', path: 'active', value }))
      expect(reply).toMatchObject({ status: 200, body: { active } })
    }
  })

  it('asks for groups without members, and whether somebody is in one', async () => {
    const [one, other] = [await addPerson(firm, 'one'), await addPerson(firm, 'other')]
    const externalId = '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159'
    const { id } = (
      await scim.post('/scim/v2/Groups', {
        schemas: [`${core}:Group`, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
        externalId,
        displayName: 'displayName',
        meta: { resourceType: 'Group' },
      })
    ).body
    const member = { path: 'members', value: [{ $ref: null, value: one }] }
    expect((await scim.patch(`/scim/v2/Groups/${id}`, operations({ op: 'Add', ...member }))).status).toBe(204)
    const groups = async (filter: string) =>
      (await scim.get(`/scim/v2/Groups?excludedAttributes=members&filter=${encodeURIComponent(filter)}`)).body
    const [found] = (await groups('displayName eq "DisplayName"')).Resources
    expect(found).toMatchObject({ id, externalId })
    expect(found).not.toHaveProperty('members')
    expect((await groups(`id eq "${id}" and members eq "${one}"`)).totalResults).toBe(1)
    expect((await groups(`id eq "${id}" and members[value eq "${other}"]`)).totalResults).toBe(0)
    await scim.patch(`/scim/v2/Groups/${id}`, operations({ op: 'Remove', ...member }))
    expect((await scim.get(`/scim/v2/Groups/${id}?attributes=members`)).body.members).toEqual([])
  })
})

describe('Keycloak', () => {
  it('reads what is supported, adds people without emails, and pages through them', async () => {
    const { scim, domain } = await directoryOf(app)
    const config = (await scim.get('/scim/v2/ServiceProviderConfig')).body
    expect(config).toMatchObject({ patch: { supported: true }, filter: { maxResults: 200 }, etag: { supported: true } })
    const schemas = (await scim.get('/scim/v2/Schemas')).body
    expect(schemas.Resources.map(({ id }: { id: string }) => id)).toEqual([`${core}:User`, `${core}:Group`])
    expect((await scim.get(`/scim/v2/Schemas/${core}:User`)).status).toBe(200)
    expect((await scim.get('/scim/v2/ResourceTypes/Group')).body).toMatchObject({ endpoint: '/Groups' })
    const kim = { schemas: [`${core}:User`], userName: `Kim@${domain}`, active: 'true' }
    const made = await scim.post(usersPath, kim)
    expect(made.body).toMatchObject({ userName: `kim@${domain}`, displayName: 'kim', active: true })
    const pages = [
      await scim.get(`${usersPath}?startIndex=1&count=1`),
      await scim.get(`${usersPath}?startIndex=2&count=9`),
    ]
    expect(pages.map(({ body }) => [body.totalResults, body.startIndex, body.itemsPerPage])).toEqual([
      [2, 1, 1],
      [2, 2, 1],
    ])
    expect((await scim.get(`${usersPath}?count=0`)).body).toMatchObject({ totalResults: 2, Resources: [] })
  })
})
