/** People sign in with the password of their company's own directory: Debian's slapd, over real TLS. */
import { Attribute, Change } from 'ldapts'
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { bearer } from '#test/harness/client.ts'
import { ldapTenant } from '#test/harness/ldap-tenant.ts'
import { password } from '#test/harness/people.ts'
import { describeWithSlapd, startSlapd } from '#test/peers/slapd.ts'

describeWithSlapd('signing in with a directory', async () => {
  const slapd = await startSlapd()
  const app = await testApp({ env: { OUTBOUND_ALLOWED_HOSTS: slapd.hostPorts } })

  const groupDn = (cn: string) => `CN=${cn},ou=groups, ${slapd.baseDn}`
  const roleOf = async (email: string) =>
    (await app.db.selectFrom('users').select('role').where('email', '=', email).executeTakeFirstOrThrow()).role

  it.each([
    ['StartTLS', () => ({ url: slapd.url, startTls: true })],
    ['LDAPS', () => ({ url: slapd.ldapsUrl, startTls: false })],
  ])('works over %s, and makes the account with the first login', async (_name, connection) => {
    const tenant = await ldapTenant(app, slapd, connection())
    const { email, uid } = await tenant.hire()
    const { status, body } = await tenant.logIn(email.toUpperCase(), 'right')
    expect(status).toBe(200)
    expect(body.user).toMatchObject({
      email,
      name: `Name of ${uid}`,
      role: 'ROLE_USER',
      organizationId: tenant.organizationId,
    })
    const again = await tenant.logIn(email, 'right')
    expect(again.body.user.id).toBe(body.user.id)
  })

  it('answers a wrong password like an address that never was', async () => {
    const tenant = await ldapTenant(app, slapd)
    const { email } = await tenant.hire()
    const wrong = await tenant.logIn(email, 'wrong')
    const unknown = await tenant.logIn(`nobody@${tenant.domain}`, 'wrong')
    expect(wrong.status).toBe(401)
    expect({ ...wrong.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' })
  })

  it('makes no account unless the company wants that, but knows who has one', async () => {
    const tenant = await ldapTenant(app, slapd, { autoProvision: false })
    const stranger = await tenant.hire()
    expect((await tenant.logIn(stranger.email, 'right')).status).toBe(401)
    const member = await tenant.hire()
    const account = await app.user({ email: member.email })
    await app.db
      .updateTable('users')
      .set({ organizationId: tenant.organizationId })
      .where('id', '=', account.id)
      .execute()
    expect((await tenant.logIn(member.email, 'right')).body.user.id).toBe(account.id)
    expect((await tenant.logIn(member.email, password)).status).toBe(401)
  })

  it('proves the address of an account of the own domain, and ends what its maker had of it', async () => {
    const tenant = await ldapTenant(app, slapd)
    const { email } = await tenant.hire()
    const maker = await app.user({ email })
    const { key } = (await maker.post('/api/v1/api-keys', { name: 'left behind' })).body
    const row = app.db.updateTable('users').where('id', '=', maker.id)
    await row.set({ organizationId: tenant.organizationId }).execute()
    const { body } = await tenant.logIn(email, 'right')
    expect(body.user).toMatchObject({ id: maker.id, emailVerified: true })
    const seen = [maker.token, key, body.token].map((token) => app.newcomer().get('/api/auth/me', bearer(token)))
    expect((await Promise.all(seen)).map(({ status }) => status)).toEqual([401, 401, 200])
  })

  it('lets in who is invited, as what they were invited', async () => {
    const tenant = await ldapTenant(app, slapd, { autoProvision: false })
    const { email } = await tenant.hire()
    const invited = await tenant.boss.post('/api/org/team/invite', { email, role: 'ROLE_ORG_ADMIN' })
    expect(invited.status).toBe(201)
    const { status, body } = await tenant.logIn(email, 'right')
    expect([status, body.user.role]).toEqual([200, 'ROLE_ORG_ADMIN'])
  })

  it('knows a person by another of their names, and gives them the address of the directory', async () => {
    const tenant = await ldapTenant(app, slapd, { userFilter: '(|(mail={login})(uid={login}))' })
    const { email, dn } = await tenant.hire({ uid: 'plain' })
    const alias = `alias@${tenant.domain}`
    const uid = new Attribute({ type: 'uid', values: [alias] })
    await slapd.asAdmin((client) => client.modify(dn, new Change({ operation: 'add', modification: uid })))
    const first = await tenant.logIn(alias, 'right')
    expect(first.body.user.email).toBe(email)
    expect((await tenant.logIn(email, 'right')).body.user.id).toBe(first.body.user.id)
    expect((await tenant.logIn(alias, 'right')).body.user.id).toBe(first.body.user.id)
  })

  it("takes no address from the directory that is not the company's to give", async () => {
    const tenant = await ldapTenant(app, slapd, { attributes: { email: 'description' } })
    const { email, dn } = await tenant.hire()
    const foreign = new Attribute({ type: 'description', values: ['victim@elsewhere.test'] })
    await slapd.asAdmin((client) => client.modify(dn, new Change({ operation: 'add', modification: foreign })))
    expect((await tenant.logIn(email, 'right')).body.user.email).toBe(email)
  })

  it('leaves people of other companies, and of none, alone', async () => {
    const tenant = await ldapTenant(app, slapd)
    const { email } = await tenant.hire()
    const outsider = await app.user({ email, org: 'somewhere else' })
    expect((await tenant.logIn(email, 'right')).status).toBe(401)
    expect((await tenant.logIn(email, password)).body.user.id).toBe(outsider.id)
  })

  it('asks nobody any more when it is switched off', async () => {
    const tenant = await ldapTenant(app, slapd)
    const { email } = await tenant.hire()
    expect((await tenant.logIn(email, 'right')).status).toBe(200)
    await tenant.save({ enabled: false })
    expect((await tenant.logIn(email, 'right')).status).toBe(401)
  })

  describe('roles', () => {
    const byAttribute = { memberOf: 'memberOf' }
    const bySearch = { memberOf: '' }

    it.each([
      ['read from the entry', byAttribute],
      ['searched for', bySearch],
    ])('come from groups, also through other groups, %s', async (_name, attributes) => {
      const groupRoles = [{ dn: groupDn('bosses'), role: 'ROLE_ADMIN' }]
      const tenant = await ldapTenant(app, slapd, { groupRoles, attributes })
      const [lead, circler, plain] = [
        await tenant.hire({ groups: ['leads'] }),
        await tenant.hire({ groups: ['staff'] }),
        await tenant.hire(),
      ]
      expect((await tenant.logIn(lead.email, 'right')).body.user.role).toBe('ROLE_ORG_ADMIN')
      expect((await tenant.logIn(circler.email, 'right')).body.user.role).toBe('ROLE_USER')
      expect((await tenant.logIn(plain.email, 'right')).body.user.role).toBe('ROLE_USER')
    })

    it.each([
      ['named by the entry', {}],
      ['searched for', bySearch],
    ])('come from the last of 250 groups as from the first, %s', async (_name, attributes) => {
      const groupRoles = [{ dn: groupDn('bosses'), role: 'ROLE_ORG_ADMIN' }]
      const tenant = await ldapTenant(app, slapd, { groupRoles, attributes })
      const { email, dn } = await tenant.hire()
      const crowd = Array.from(
        { length: 250 },
        (_, index) => `cn=a${app.unknownId()}-${index},ou=Groups,${slapd.baseDn}`,
      )
      await slapd.asAdmin(async (client) => {
        for (const group of crowd) await client.add(group, { objectClass: 'groupOfNames', member: dn })
      })
      await tenant.join(dn, 'bosses')
      expect((await tenant.logIn(email, 'right')).body.user.role).toBe('ROLE_ORG_ADMIN')
      await slapd.asAdmin(async (client) => {
        for (const group of crowd) await client.del(group)
      })
    })

    it('follow the groups at each login, with an entry in the audit log', async () => {
      const tenant = await ldapTenant(app, slapd, { groupRoles: [{ dn: groupDn('leads'), role: 'ROLE_ORG_ADMIN' }] })
      const { email, dn } = await tenant.hire()
      const { user } = (await tenant.logIn(email, 'right')).body
      await tenant.join(dn, 'leads')
      const { token } = (await tenant.logIn(email, 'right')).body
      expect(await roleOf(email)).toBe('ROLE_ORG_ADMIN')
      expect((await app.newcomer().get('/api/org/ldap', { authorization: `Bearer ${token}` })).status).toBe(200)
      await tenant.leave(dn, 'leads')
      await tenant.logIn(email, 'right')
      expect((await app.newcomer().get('/api/org/ldap', { authorization: `Bearer ${token}` })).status).toBe(403)
      const changes = await app.db
        .selectFrom('auditLog')
        .select('detail')
        .where('action', '=', 'organization.change_role')
        .where('targetId', '=', user.id)
        .orderBy('at')
        .execute()
      expect(changes.map(({ detail }) => detail.role)).toEqual(['ROLE_ORG_ADMIN', 'ROLE_USER'])
    })

    it('never take the last administrator away', async () => {
      const tenant = await ldapTenant(app, slapd, { groupRoles: [{ dn: groupDn('leads'), role: 'ROLE_ORG_ADMIN' }] })
      await tenant.hire({ uid: 'boss' })
      expect((await tenant.logIn(tenant.boss.email, 'right')).body.user.role).toBe('ROLE_ORG_ADMIN')
      const other = await tenant.hire({ groups: ['leads'] })
      await tenant.logIn(other.email, 'right')
      await tenant.logIn(tenant.boss.email, 'right')
      expect(await roleOf(tenant.boss.email)).toBe('ROLE_USER')
    })

    it('stay what they are where no group gives one', async () => {
      const tenant = await ldapTenant(app, slapd)
      const other = await tenant.hire()
      await tenant.logIn(other.email, 'right')
      await app.db.updateTable('users').set({ role: 'ROLE_ORG_ADMIN' }).where('email', '=', other.email).execute()
      expect((await tenant.logIn(other.email, 'right')).body.user.role).toBe('ROLE_ORG_ADMIN')
    })
  })

  describe('an account', () => {
    it('stays with the person when their name and position in the directory change', async () => {
      const tenant = await ldapTenant(app, slapd)
      const { email, dn } = await tenant.hire()
      const { user } = (await tenant.logIn(email, 'right')).body
      await slapd.asAdmin((client) => client.modifyDN(dn, `uid=renamed-${user.id}`))
      expect((await tenant.logIn(email, 'right')).body.user.id).toBe(user.id)
    })

    it('is not inherited by the next person with the address', async () => {
      const tenant = await ldapTenant(app, slapd)
      const { email, dn, uid } = await tenant.hire()
      expect((await tenant.logIn(email, 'right')).status).toBe(200)
      await slapd.asAdmin((client) => client.del(dn))
      await tenant.hire({ uid })
      expect((await tenant.logIn(email, 'right')).status).toBe(401)
    })

    it('is not made beyond the plan, nor opened while deactivated', async () => {
      const tenant = await ldapTenant(app, slapd)
      const first = await tenant.hire()
      const { user } = (await tenant.logIn(first.email, 'right')).body
      await app.db.updateTable('organizations').set({ maxMembers: 2 }).where('id', '=', tenant.organizationId).execute()
      const second = await tenant.hire()
      expect((await tenant.logIn(second.email, 'right')).status).toBe(401)
      const owner = await app.platformOwner()
      await owner.patch(`/api/admin/users/${user.id}`, { status: 'DEACTIVATED' })
      expect((await tenant.logIn(first.email, 'right')).status).toBe(401)
    })

    // The last one: every failed login after it takes as long as these.
    it('is made once, however many first logins come at once', async () => {
      const tenant = await ldapTenant(app, slapd)
      const { email } = await tenant.hire()
      const replies = await Promise.all(Array.from({ length: 5 }, () => tenant.logIn(email, 'right')))
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
      expect(new Set(replies.map(({ body }) => body.user.id)).size).toBe(1)
    })
  })

  it('still asks for the second step where one is set', async () => {
    const tenant = await ldapTenant(app, slapd)
    const { email } = await tenant.hire()
    await tenant.logIn(email, 'right')
    await app.db.updateTable('users').set({ loginOtp: true }).where('email', '=', email).execute()
    const { body } = await tenant.logIn(email, 'right')
    expect(body).toMatchObject({ otpRequired: true })
    const { challengeId } = body
    const otp = (await app.letterTo(email)).code()
    expect((await app.newcomer().post('/api/auth/verify-login-otp', { challengeId, otp })).status).toBe(200)
  })
})
