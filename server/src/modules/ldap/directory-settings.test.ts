import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { ldapTenant } from '#test/harness/ldap-tenant.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { describeWithSlapd, startSlapd } from '#test/peers/slapd.ts'

const path = '/api/org/ldap'
const good = {
  url: 'ldaps://directory.example.com',
  bindDn: 'cn=reader,dc=example,dc=com',
  bindPassword: 'hush hush',
  baseDn: 'dc=example,dc=com',
}

describe("a company's directory settings", async () => {
  const app = await sharedApp()
  const founder = () => app.user({ org: `org ${app.unknownId()}` })

  it('are none at first, then what was saved, then none again', async () => {
    const boss = await founder()
    expect(await boss.get(path)).toMatchObject({ status: 404, body: { code: 'ldap_not_configured' } })
    const saved = await boss.put(path, good)
    expect(saved.status).toBe(200)
    const { bindPassword: _password, ...shown } = good
    expect(saved.body).toEqual({
      ...shown,
      enabled: true,
      startTls: false,
      caPem: '',
      hasBindPassword: true,
      userFilter: '(mail={login})',
      attributes: { email: 'mail', name: 'cn', uniqueId: 'entryUUID', memberOf: 'memberOf' },
      groupRoles: [],
      autoProvision: false,
    })
    expect((await boss.get(path)).body).toEqual(saved.body)
    expect((await boss.delete(path)).status).toBe(204)
    expect((await boss.delete(path)).status).toBe(404)
    expect((await boss.get(path)).status).toBe(404)
  })

  it('keep the password to themselves: no reply, no audit entry and no row shows it', async () => {
    const boss = await founder()
    const replies = [await boss.put(path, good), await boss.get(path)]
    for (const { text } of replies) expect(text).not.toContain('hush')
    const rows = await app.db.selectFrom('ldapDirectories').selectAll().execute()
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain('hush')
    const log = await app.db.selectFrom('auditLog').selectAll().where('action', '=', 'ldap.save').execute()
    expect(log.length).toBeGreaterThan(0)
    expect(JSON.stringify(log)).not.toContain('hush')
  })

  it('keep the password when it is left out, but do not carry it to another server or name', async () => {
    const boss = await founder()
    await boss.put(path, good)
    const { bindPassword: _password, ...rest } = good
    const kept = await boss.put(path, { ...rest, bindPassword: '', baseDn: 'ou=people,dc=example,dc=com' })
    expect(kept.body).toMatchObject({ hasBindPassword: true, baseDn: 'ou=people,dc=example,dc=com' })
    for (const change of [
      { url: 'ldaps://evil.example.net' },
      { url: `${good.url}:3269` },
      { bindDn: 'cn=other,dc=x' },
    ]) {
      const moved = { ...rest, ...change }
      expect((await boss.put(path, moved)).status).toBe(422)
      expect((await boss.post(`${path}/test`, { settings: moved })).status).toBe(422)
    }
    expect((await boss.put(path, { ...rest, bindDn: '' })).body.hasBindPassword).toBe(false)
  })

  it.each([
    ['url', { url: 'http://directory.example.com' }],
    ['url', { url: 'ldap://user:pw@directory.example.com' }],
    ['startTls', { url: 'ldap://directory.example.com' }],
    ['startTls', { startTls: true }],
    ['caPem', { caPem: 'not a certificate' }],
    ['bindDn', { bindDn: 'EXTERNAL' }],
    ['bindPassword', { bindPassword: '' }],
    ['baseDn', { baseDn: 'nonsense' }],
    ['userFilter', { userFilter: '(mail={login}' }],
    ['userFilter', { userFilter: '(objectClass=*)' }],
    ['attributes', { attributes: { uniqueId: 'a)(b' } }],
    ['groupRoles', { groupRoles: [{ dn: 'nonsense', role: 'ROLE_USER' }] }],
    ['groupRoles', { groupRoles: [{ dn: 'cn=a', role: 'ROLE_PLATFORM_OWNER' }] }],
  ])('refuse a wrong %s: %j', async (field, change) => {
    const boss = await founder()
    const { status, body } = await boss.put(path, { ...good, ...change })
    expect(status).toBe(422)
    expect(body.detail.map(({ loc }: { loc: string[] }) => loc[1])).toContain(field)
  })

  it("are an administrator's own business", async () => {
    const org = `org ${app.unknownId()}`
    const boss = await app.user({ org })
    const member = await app.user({ org })
    await boss.put(path, good)
    for (const reply of [
      await member.get(path),
      await member.put(path, good),
      await member.delete(path),
      await member.post(`${path}/test`, {}),
    ])
      expect(reply.status).toBe(403)
    const stranger = await founder()
    expect((await stranger.get(path)).status).toBe(404)
    expect((await stranger.post(`${path}/test`, {})).status).toBe(404)
    expect((await stranger.delete(path)).status).toBe(404)
    expect((await boss.get(path)).status).toBe(200)
  })
})

describeWithSlapd('trying a directory', async () => {
  const slapd = await startSlapd()
  const app = await testApp({ env: { OUTBOUND_ALLOWED_HOSTS: slapd.hostPorts } })

  const stepsOf = (body: { steps: { step: string; ok: boolean }[] }) =>
    body.steps.map(({ step, ok }) => `${step} ${ok ? 'ok' : 'failed'}`)

  it('says what it did, step by step', async () => {
    const tenant = await ldapTenant(app, slapd, {
      groupRoles: [{ dn: `cn=bosses,ou=Groups,${slapd.baseDn}`, role: 'ROLE_ORG_ADMIN' }],
    })
    const { email, dn } = await tenant.hire({ groups: ['leads'] })
    const { body } = await tenant.boss.post(`${path}/test`, { login: email })
    expect(body.ok).toBe(true)
    expect(stepsOf(body)).toEqual(['address ok', 'connect ok', 'tls ok', 'bind ok', 'search ok', 'groups ok'])
    expect(body.steps[4].detail).toContain(dn)
    expect(body.steps[5].detail).toContain('ROLE_ORG_ADMIN')
    const general = await tenant.boss.post(`${path}/test`, {})
    expect(general.body.ok).toBe(true)
  })

  it.each([
    ['bind', () => ({ bindPassword: 'wrong' })],
    ['bind', () => ({ bindDn: `cn=nobody,${slapd.baseDn}` })],
    ['search', () => ({ bindDn: '', bindPassword: '' })],
    ['search', () => ({ baseDn: 'dc=elsewhere' })],
    ['groups', () => ({ groupRoles: [{ dn: `cn=none,${slapd.baseDn}`, role: 'ROLE_USER' }] })],
    ['tls', () => ({ url: slapd.ldapsUrl, startTls: false, caPem: '' })],
  ])('stops at %s when that fails, and says so', async (step, change) => {
    const tenant = await ldapTenant(app, slapd)
    const { body } = await tenant.boss.post(`${path}/test`, { settings: { ...tenant.usual, ...change() } })
    expect(body.ok).toBe(false)
    expect(body.steps.at(-1)).toMatchObject({ step, ok: false, detail: expect.stringMatching(/\w.+\.$|\)$/) })
    expect(body.steps.slice(0, -1).every(({ ok }: { ok: boolean }) => ok)).toBe(true)
  })

  it('saves nothing', async () => {
    const tenant = await ldapTenant(app, slapd)
    const before = (await tenant.boss.get(path)).body
    await tenant.boss.post(`${path}/test`, { settings: { ...tenant.usual, autoProvision: false } })
    expect((await tenant.boss.get(path)).body).toEqual(before)
  })
})
