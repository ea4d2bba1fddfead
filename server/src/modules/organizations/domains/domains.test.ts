import { afterAll, describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { password } from '#test/harness/people.ts'
import { startDns } from '#test/peers/dns.ts'

const dns = await startDns()
afterAll(() => dns.close())
const app = await testApp({ env: { DNS_SERVERS: dns.server } })
const base = '/api/org/domains'
const founder = () => app.user({ org: `org ${app.unknownId()}` })
const newDomain = () => `d${app.unknownId()}.example`

describe('a domain', () => {
  it('is verified by its TXT record, and not before', async () => {
    const boss = await founder()
    const domain = newDomain()
    const claimed = await boss.post(base, { domain: domain.toUpperCase() })
    expect(claimed).toMatchObject({ status: 201, body: { domain, verified: false } })
    const { txtRecord } = claimed.body
    expect(txtRecord).toMatch(/^chancery-domain-verification=[\w-]{43}$/)
    const verify = () => boss.post(`${base}/${domain}/verify`)

    dns.records.set(domain, ['v=spf1 -all', 'chancery-domain-verification=somebody-elses'])
    expect(await verify()).toMatchObject({ status: 409, body: { code: 'domain_not_proven' } })
    dns.records.set(domain, ['v=spf1 -all', txtRecord])
    expect(await verify()).toMatchObject({ status: 200, body: { domain, verified: true } })
    expect((await boss.get(base)).body).toEqual({ items: [{ domain, verified: true, txtRecord }], total: 1 })
    expect((await boss.delete(`${base}/${domain}`)).status).toBe(204)
    expect((await boss.get(base)).body.items).toEqual([])
    expect((await boss.delete(`${base}/${domain}`)).status).toBe(404)
  })

  it('may be claimed by anybody, but belongs to the one who proves it', async () => {
    const [squatter, owner] = [await founder(), await founder()]
    const domain = newDomain()
    await squatter.post(base, { domain })
    const { txtRecord } = (await owner.post(base, { domain })).body
    dns.records.set(domain, [txtRecord])
    expect(await squatter.post(`${base}/${domain}/verify`)).toMatchObject({ status: 409 })
    expect(await owner.post(`${base}/${domain}/verify`)).toMatchObject({ status: 200 })

    const again = (await squatter.post(base, { domain })).body.txtRecord
    dns.records.set(domain, [txtRecord, again])
    const late = await squatter.post(`${base}/${domain}/verify`)
    expect(late).toMatchObject({ status: 409, body: { code: 'domain_taken' } })
  })

  it('that is only claimed decides nothing', async () => {
    const [claimer, other] = [await founder(), await founder()]
    const domain = newDomain()
    await claimer.post(base, { domain })
    expect(await other.post('/api/org/team/invite', { email: `ana@${domain}` })).toMatchObject({ status: 201 })
  })

  it('that another organization has verified is refused for invitations, new and old', async () => {
    const [owner, other] = [await founder(), await founder()]
    const domain = newDomain()
    const email = `old@${domain}`
    expect(await other.post('/api/org/team/invite', { email })).toMatchObject({ status: 201 })
    const token = new URL(`http://x${(await app.letterTo(email)).link()}`).searchParams.get('token')
    const { txtRecord } = (await owner.post(base, { domain })).body
    dns.records.set(domain, [txtRecord])
    await owner.post(`${base}/${domain}/verify`)

    const taken = { status: 409, body: { code: 'email_domain_taken' } }
    expect(await other.post('/api/org/team/invite', { email: `new@${domain}` })).toMatchObject(taken)
    const accept = await app.newcomer().post('/api/auth/accept-invite', { token, name: 'Old', password })
    expect(accept).toMatchObject(taken)
    expect(await owner.post('/api/org/team/invite', { email: `new@${domain}` })).toMatchObject({ status: 201 })
  })

  it('of an organization that signs in elsewhere cannot be used to register', async () => {
    const boss = await founder()
    const domain = newDomain()
    const platform = await app.platformOwner()
    await platform.patch(`/api/admin/organizations/${boss.organizationId}`, { domains: [domain] })
    await app.db
      .updateTable('organizations')
      .set({ authProvider: 'SSO' })
      .where('id', '=', boss.organizationId)
      .execute()
    const person = { name: 'Ana', email: `ana@${domain}`, password }
    for (const body of [person, { ...person, companyName: 'Ana Ltd' }])
      expect(await app.newcomer().post('/api/auth/register', body)).toMatchObject({
        status: 403,
        body: { code: 'company_login_required' },
      })
  })
})
