/** A18, item by item: what must never be a login. Each directory here is real or behaves like one that was attacked. */
import type { Socket } from 'node:net'
import { Client } from 'ldapts'
import { afterAll, describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { ldapTenant } from '#test/harness/ldap-tenant.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { type Site, startRawSite } from '#test/peers/site.ts'
import { describeWithSlapd, startSlapd } from '#test/peers/slapd.ts'

const yesToStartTls = Buffer.from([0x30, 0x0c, 0x02, 0x01, 0x01, 0x78, 0x07, 0x0a, 0x01, 0x00, 0x04, 0x00, 0x04, 0x00])
const noToStartTls = Buffer.from([0x30, 0x0c, 0x02, 0x01, 0x01, 0x78, 0x07, 0x0a, 0x01, 0x02, 0x04, 0x00, 0x04, 0x00])
const yesToBind = (id: number) =>
  Buffer.from([0x30, 0x0c, 0x02, 0x01, id, 0x61, 0x07, 0x0a, 0x01, 0x00, 0x04, 0x00, 0x04, 0x00])

describeWithSlapd('A18: no login', async () => {
  const slapd = await startSlapd()
  const friendly = await startSlapd({ isAnonymousFriendly: true })
  const misnamed = await startSlapd({ isEmpty: true, san: 'DNS:other.example.test' })
  let heard = ''
  /** The answer of each odd server to anything it hears. */
  const behave: Record<string, (socket: Socket, bytes: Buffer) => void> = {
    stripping: (socket) => socket.write(noToStartTls),
    pretending: (socket, bytes) => socket.write(bytes.includes('1466.20037') ? yesToStartTls : yesToBind(2)),
    injecting: (socket) => socket.write(Buffer.concat([yesToStartTls, yesToBind(2).subarray(0, 10)])),
    flooding: (socket) => {
      socket.write(Buffer.alloc(7 * 100_000, Buffer.from([0x30, 0x05, 0x02, 0x01, 0x09, 0x61, 0x00])))
      socket.end()
    },
    garbled: (socket) => socket.end(Buffer.alloc(4096, 0xff)),
    canary: () => undefined,
  }
  const odd: Record<string, Site> = {}
  for (const [name, act] of Object.entries(behave)) {
    odd[name] = await startRawSite((socket) => {
      socket.on('data', (bytes: Buffer) => {
        heard += bytes.toString('latin1')
        act(socket, bytes)
      })
    })
  }
  afterAll(() => Promise.all(Object.values(odd).map((site) => site.close())))
  const oddHosts = Object.values(odd).map(({ port }) => `127.0.0.1:${port}`)
  const app = await testApp({
    env: {
      OUTBOUND_ALLOWED_HOSTS: [slapd.hostPorts, friendly.hostPorts, misnamed.hostPorts, ...oddHosts].join(','),
      LDAP_ALLOW_PLAINTEXT: 'true',
      LOG_LEVEL: 'debug',
    },
  })

  it('for an empty password, even where the directory itself says yes to it', async () => {
    const tenant = await ldapTenant(app, friendly)
    const { email, dn } = await tenant.hire()
    const client = new Client({ url: friendly.url })
    await client.bind(dn, '')
    await client.unbind()
    expect((await tenant.logIn(email, '')).status).toBe(401)
    expect((await tenant.logIn(email, 'right')).status).toBe(200)
  })

  it.each(['*', '*)(uid=*', '*)(|(mail=*', '\\2a', 'a*)(objectClass=*))(|(cn=*', '*))%00'])(
    'for a login that would be a filter: %s',
    async (login) => {
      const tenant = await ldapTenant(app, slapd, { userFilter: '(|(mail={login})(uid={login}))' })
      await tenant.hire()
      expect((await tenant.logIn(`${login}@${tenant.domain}`, 'right')).status).toBe(401)
    },
  )

  it('for a login with a NUL in it', async () => {
    const tenant = await ldapTenant(app, slapd)
    const { email } = await tenant.hire()
    expect((await tenant.logIn(`\0${email}`, 'right')).status).toBeGreaterThanOrEqual(400)
  })

  it('but one for an entry whose name holds commas, pluses, quotes and blanks, and not for its neighbour', async () => {
    const tenant = await ldapTenant(app, slapd)
    const { email } = await tenant.hire({
      uid: 'odd.name',
      rdn: 'cn=\\20Smith\\2c \\22J\\2bJ\\22\\5c\\3d\\23 \\C3\\A9+uid=odd.name',
    })
    expect((await tenant.logIn(email, 'wrong')).status).toBe(401)
    expect((await tenant.logIn(email, 'right')).status).toBe(200)
  })

  it('where two entries match', async () => {
    const tenant = await ldapTenant(app, slapd, { userFilter: '(|(mail={login})(sn=Twin))' })
    const { email, dn } = await tenant.hire()
    await slapd.asAdmin((client) =>
      client.add(`uid=twin,${dn}`, { objectClass: 'inetOrgPerson', cn: 'T', sn: 'Twin', userPassword: 'right' }),
    )
    expect((await tenant.logIn(email, 'right')).status).toBe(401)
  })

  it('through a referral: no other host is ever asked', async () => {
    const tenant = await ldapTenant(app, slapd)
    const elsewhere = `ldap://127.0.0.1:${odd.canary?.port}/dc=evil`
    await slapd.asAdmin((client) =>
      client.add(`ou=referral,${slapd.baseDn}`, {
        objectClass: ['referral', 'extensibleObject'],
        ou: 'referral',
        ref: elsewhere,
      }),
    )
    expect((await tenant.logIn(`nobody@${tenant.domain}`, 'right')).status).toBe(401)
    await tenant.save({ baseDn: `ou=below,ou=referral,${slapd.baseDn}` })
    expect((await tenant.logIn(`nobody@${tenant.domain}`, 'right')).status).toBe(401)
    const { body } = await tenant.boss.post('/api/org/ldap/test', { login: 'nobody' })
    expect(body.steps.at(-1)).toMatchObject({ step: 'search', ok: false, detail: expect.stringContaining('referral') })
    expect(odd.canary?.connections()).toBe(0)
  })

  it.each(['stripping', 'pretending', 'injecting'])(
    'over a line that is %s with StartTLS, and no password is said on it',
    async (name) => {
      const url = `ldap://127.0.0.1:${odd[name]?.port}`
      const tenant = await ldapTenant(app, slapd, { url, bindPassword: 'told to nobody' })
      heard = ''
      expect((await tenant.logIn(`somebody@${tenant.domain}`, 'not for strangers')).status).toBe(401)
      const { body } = await tenant.boss.post('/api/org/ldap/test', {})
      expect(body.steps.at(-1)).toMatchObject({ step: 'tls', ok: false })
      expect(heard).not.toBe('')
      expect(heard).not.toMatch(/told to nobody|not for strangers|cn=reader/)
    },
  )

  it.each(['flooding', 'garbled'])('from a %s server, which harms nobody but its own tenant', async (name) => {
    const url = `ldap://127.0.0.1:${odd[name]?.port}`
    const tenant = await ldapTenant(app, slapd, { url, startTls: false })
    const healthy = await ldapTenant(app, slapd)
    const { email } = await healthy.hire()
    expect((await tenant.logIn(`somebody@${tenant.domain}`, 'x')).status).toBe(401)
    expect((await healthy.logIn(email, 'right')).status).toBe(200)
  })

  it('with a certificate of another authority, or for another name', async () => {
    const tenant = await ldapTenant(app, slapd, { caPem: friendly.caPem })
    const { email } = await tenant.hire()
    expect((await tenant.logIn(email, 'right')).status).toBe(401)
    await tenant.save({ caPem: '' })
    expect((await tenant.logIn(email, 'right')).status).toBe(401)
    const { body } = await tenant.boss.post('/api/org/ldap/test', {})
    expect(body.steps.at(-1)).toMatchObject({ step: 'tls', ok: false, detail: expect.stringContaining('authority') })
    await tenant.save({ caPem: slapd.caPem })
    expect((await tenant.logIn(email, 'right')).status).toBe(200)
    await tenant.save({ url: misnamed.url, caPem: misnamed.caPem })
    const named = await tenant.boss.post('/api/org/ldap/test', {})
    expect(named.body.steps.at(-1)).toMatchObject({ step: 'tls', ok: false, detail: expect.stringContaining('name') })
  })

  it('tells in no reply and no log line what was said to the directory', async () => {
    const tenant = await ldapTenant(app, slapd, { bindPassword: 'readerpw' })
    const { email } = await tenant.hire()
    const { text } = await tenant.logIn(email, 'a quite unusual password')
    const test = await tenant.boss.post('/api/org/ldap/test', { login: email })
    for (const written of [text, test.text, ...app.logLines]) {
      expect(written).not.toContain('readerpw')
      expect(written).not.toContain('a quite unusual password')
    }
  })
})

describe('without permission', async () => {
  const app = await sharedApp()

  it('a directory inside our network is not even looked for', async () => {
    const canary = await startRawSite(() => undefined)
    const boss = await app.user({ org: 'inside' })
    for (const url of [
      `ldap://127.0.0.1:${canary.port}`,
      'ldap://127.0.0.1:389',
      'ldaps://169.254.169.254',
      'ldap://localhost',
      'ldaps://[::ffff:127.0.0.1]',
      'ldap://192.0.2.1:22',
    ]) {
      const settings = { url, startTls: url.startsWith('ldap:'), baseDn: 'dc=x' }
      const { body } = await boss.post('/api/org/ldap/test', { settings })
      expect(body.steps, url).toMatchObject([{ step: 'address', ok: false }])
    }
    expect(canary.connections()).toBe(0)
    await canary.close()
  })
})
