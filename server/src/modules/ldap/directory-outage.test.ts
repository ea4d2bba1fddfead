/** A directory that is away, slow, or dies in the middle: who can still sign in. */
import { connect } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { ldapTenant } from '#test/harness/ldap-tenant.ts'
import { password } from '#test/harness/people.ts'
import { startRawSite } from '#test/peers/site.ts'
import { describeWithSlapd, startSlapd } from '#test/peers/slapd.ts'

describeWithSlapd('while the directory', async () => {
  const slapd = await startSlapd()
  const neighbour = await startSlapd()
  /** Connections that the relay still lets through; the rest are cut after they began. */
  let passes = Number.POSITIVE_INFINITY
  const relay = await startRawSite((socket) => {
    passes -= 1
    if (passes < 0) return socket.end()
    const through = connect(Number(new URL(slapd.url).port), '127.0.0.1').on('error', () => socket.destroy())
    socket.pipe(through).pipe(socket)
  })
  afterAll(() => relay.close())
  const hosts = [slapd.hostPorts, neighbour.hostPorts, `127.0.0.1:${relay.port}`]
  const app = await testApp({ env: { OUTBOUND_ALLOWED_HOSTS: hosts.join(',') } })

  it('is unreachable, its people wait; its administrators and everybody else can sign in', async () => {
    const tenant = await ldapTenant(app, slapd)
    const other = await ldapTenant(app, neighbour)
    const [member, stranger] = [await tenant.hire(), await other.hire()]
    expect((await tenant.logIn(member.email, 'right')).status).toBe(200)
    const plain = await app.user()
    const { organizationId } = tenant
    await app.db.updateTable('users').set({ organizationId }).where('id', '=', plain.id).execute()
    await slapd.stop()

    expect((await tenant.logIn(member.email, 'right')).status).toBe(401)
    expect((await tenant.logIn(plain.email, password)).status).toBe(401)
    expect((await tenant.logIn(tenant.boss.email, password)).status).toBe(200)
    expect((await tenant.logIn(tenant.boss.email, 'wrong')).status).toBe(401)
    expect((await other.logIn(stranger.email, 'right')).status).toBe(200)
    expect((await app.user()).token).not.toBe('')

    await slapd.start()
    expect((await tenant.logIn(member.email, 'right')).status).toBe(200)
  })

  it('dies between search and bind, nobody of it gets in by that', async () => {
    const tenant = await ldapTenant(app, slapd, { url: `ldap://127.0.0.1:${relay.port}` })
    const { email } = await tenant.hire()
    passes = 1
    expect((await tenant.logIn(email, 'right')).status).toBe(401)
    passes = Number.POSITIVE_INFINITY
    expect((await tenant.logIn(email, 'right')).status).toBe(200)
  })

  it('knows an administrator, their old password here no longer works', async () => {
    const tenant = await ldapTenant(app, slapd)
    expect((await tenant.logIn(tenant.boss.email, password)).status).toBe(200)
    const { dn } = await tenant.hire({ uid: 'boss' })
    expect((await tenant.logIn(tenant.boss.email, password)).status).toBe(401)
    expect((await tenant.logIn(tenant.boss.email, 'right')).status).toBe(200)
    await slapd.asAdmin((client) => client.del(dn))
    expect((await tenant.logIn(tenant.boss.email, password)).status).toBe(401)
  })

  it('is set up wrongly, the administrator can still sign in and correct it', async () => {
    const tenant = await ldapTenant(app, slapd, { bindPassword: 'wrong' })
    expect((await tenant.logIn(tenant.boss.email, password)).status).toBe(200)
  })

  // The last one: from then on, every failed login takes as long as this one.
  it('hangs, a login of its people times out, and others can sign in', async () => {
    const tenant = await ldapTenant(app, slapd)
    const other = await ldapTenant(app, neighbour)
    const [member, stranger] = [await tenant.hire(), await other.hire()]
    await slapd.freeze()
    try {
      const waiting = tenant.logIn(member.email, 'right')
      const tested = tenant.boss.post('/api/org/ldap/test', {})
      expect((await other.logIn(stranger.email, 'right')).status).toBe(200)
      expect((await waiting).status).toBe(401)
      const { body } = await tested
      expect(body.steps.at(-1)).toMatchObject({ ok: false, detail: expect.stringContaining('5 seconds') })
    } finally {
      slapd.thaw()
    }
    expect((await tenant.logIn(member.email, 'right')).status).toBe(200)
  })
})
