/** Rules that decide before a directory is asked. */
import { connect } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { ldapTenant } from '#test/harness/ldap-tenant.ts'
import { startRawSite } from '#test/peers/site.ts'
import { describeWithSlapd, startSlapd } from '#test/peers/slapd.ts'

describeWithSlapd('a directory', async () => {
  const slapd = await startSlapd()
  let connections = 0
  const relay = await startRawSite((socket) => {
    connections += 1
    const through = connect(Number(new URL(slapd.url).port), '127.0.0.1').on('error', () => socket.destroy())
    socket.pipe(through).pipe(socket)
  })
  afterAll(() => relay.close())
  const hosts = [slapd.hostPorts, `127.0.0.1:${relay.port}`]
  const app = await testApp({ env: { OUTBOUND_ALLOWED_HOSTS: hosts.join(',') } })
  const relayed = () => ldapTenant(app, slapd, { url: `ldap://127.0.0.1:${relay.port}` })

  it('gives no access to an organization that signs in elsewhere, and is not asked', async () => {
    const tenant = await relayed()
    const [member, newcomer] = [await tenant.hire(), await tenant.hire()]
    expect((await tenant.logIn(member.email, 'right')).status).toBe(200)
    await app.db
      .updateTable('organizations')
      .set({ authProvider: 'SSO' })
      .where('id', '=', tenant.organizationId)
      .execute()
    const before = connections
    expect((await tenant.logIn(member.email, 'right')).status).toBe(401)
    expect((await tenant.logIn(newcomer.email, 'right')).status).toBe(401)
    expect(connections).toBe(before)
    const made = await app.db.selectFrom('users').select('id').where('email', '=', newcomer.email).execute()
    expect(made).toEqual([])
  })

  it('is not asked about a locked attempt, not even with the right password', async () => {
    const tenant = await relayed()
    const { email } = await tenant.hire()
    const attacker = app.newcomer()
    const guess = (password: string) => attacker.post('/api/auth/login', { email, password })
    for (let tries = 0; tries < 6; tries += 1) await guess('wrong')
    const before = connections
    expect((await guess('right')).status).toBe(401)
    expect(connections).toBe(before)
    expect((await tenant.logIn(email, 'right')).status).toBe(200)
  })
})
