/** People of two organizations sign in at two providers of their own, side by side. */
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { bearer } from '#test/harness/client.ts'
import { ownProvidersScene, providersPath } from '#test/harness/own-providers.ts'
import { password } from '#test/harness/people.ts'
import type { IdpPerson } from '#test/peers/idp.ts'

const { app, idps, company, browser, signIn, back } = await ownProvidersScene()
const [one, two] = idps
const refused = (code: string) => `/sign-in?problem=${code}`

afterEach(() => {
  for (const idp of idps) for (const name of Object.keys(idp.faults)) delete idp.faults[name as keyof typeof idp.faults]
})

const refusals = async (organizationId: string) =>
  (
    await sql<{ reason: string }>`select detail->>'reason' as reason from audit_log
      where action = 'identity_provider.refuse' and organization_id = ${organizationId}`.execute(app.db)
  ).rows.map(({ reason }) => reason)

describe('two organizations with a provider each', async () => {
  const [acme, globex] = [await company(one), await company(two)]

  it('are found by the domain of an address, and sign their people in side by side', async () => {
    for (const each of [acme, globex]) {
      const person = each.colleague({ firstName: 'Nia', lastName: 'New' })
      const mode = await app.anonymous.get(`/api/auth/resolve-login-mode?email=${person.email}`)
      expect(mode.body).toEqual({ mode: 'SSO', ssoUrl: each.provider.loginUrl, passwordAllowed: true })
      const { me, page } = await signIn(`${each.provider.loginUrl}?return_to=/documents`, person.email)
      expect(page).toBe('/documents')
      expect(me).toMatchObject({ name: 'Nia New', email: person.email, role: 'ROLE_USER', organizationId: each.id })
    }
    expect((await acme.admin.get(`${providersPath}/${acme.provider.id}`)).body.lastLoginAt).not.toBeNull()
  })

  it('knows a person again by subject, whatever their address there has become', async () => {
    const person = acme.colleague()
    const first = await signIn(acme.provider.loginUrl, person.email)
    person.email = 'elsewhere@unknown.test'
    const second = await signIn(acme.provider.loginUrl, person.id)
    expect(second.me.id).toBe(first.me.id)
  })

  it('lets an existing member in, and ends what came from a provider that is removed', async () => {
    const third = await company(two)
    two.add({ email: third.admin.email })
    const { me, token = '' } = await signIn(third.provider.loginUrl, third.admin.email)
    expect(me).toMatchObject({ id: third.admin.id, role: 'ROLE_ORG_ADMIN' })
    expect((await third.admin.delete(`${providersPath}/${third.provider.id}`)).status).toBe(204)
    expect((await app.newcomer().get('/api/auth/me', bearer(token))).status).toBe(401)
    expect((await signIn(third.provider.loginUrl, third.admin.email)).page).toBe(refused('provider_not_found'))
  })

  it('makes one account of a newcomer who finishes two sign-ins at once', async () => {
    const { email } = acme.colleague()
    const done = await Promise.all([1, 2, 3].map(() => signIn(acme.provider.loginUrl, email)))
    expect(new Set(done.map(({ me }) => me.id)).size).toBe(1)
  })

  it('gives nobody a way to another organization: not by its addresses, not by its subjects', async () => {
    const victim = globex.colleague()
    const { me } = await signIn(globex.provider.loginUrl, victim.email)
    const forged = acme.colleague({ email: victim.email })
    expect((await signIn(acme.provider.loginUrl, forged.email)).page).toBe(refused('sso_not_allowed'))
    one.faults.idToken = (claims) => ({ ...claims, sub: victim.id, email: victim.email })
    const stranger = acme.colleague()
    expect((await signIn(acme.provider.loginUrl, stranger.email)).page).toBe(refused('sso_not_allowed'))
    expect(await refusals(acme.id)).toContain('the provider vouches for no address of its domains')
    expect(me.organizationId).toBe(globex.id)
  })

  it('keeps the people of two organizations apart that have the same provider', async () => {
    const beside = await company(one)
    const person = beside.colleague()
    const { me } = await signIn(beside.provider.loginUrl, person.email)
    const elsewhere = await signIn(acme.provider.loginUrl, person.email)
    expect(elsewhere).toMatchObject({ page: refused('sso_not_allowed'), me: undefined })
    expect(me.organizationId).toBe(beside.id)
  })

  it('takes nobody’s login back through the door of another provider', async () => {
    const tab = browser()
    const stopped = await tab.signIn(acme.provider.loginUrl, acme.colleague().email, { stopAt: /\/callback\?/ })
    const kept = new Map(tab.cookies.get(new URL(app.url).host))
    const comeBack = async (url: string, jar = new Map(kept)) => {
      const other = browser()
      other.cookies.set(new URL(app.url).host, jar)
      const page = new URL((await other.walk(url, { stopAt: back })).url)
      return page.pathname + page.search
    }
    expect(await comeBack(stopped.url.replace(acme.provider.id, globex.provider.id))).toBe(refused('sso_failed'))
    expect(await comeBack(stopped.url, new Map())).toBe(refused('sso_failed'))
    expect(await comeBack(stopped.url)).toBe('/')
    expect(await comeBack(stopped.url)).toBe(refused('sso_failed'))
  })

  it('says that a provider is away', async () => {
    const late = await company(two)
    two.faults.isDown = true
    expect((await signIn(late.provider.loginUrl, late.admin.email)).page).toBe(refused('idp_unavailable'))
  })
})

describe('whom a provider may bring', async () => {
  const acme = await company(one)

  it.each([
    ['an address that it marks as not verified', { emailVerified: false }],
    ['an address of another domain', { email: 'someone@elsewhere.test' }],
  ])('is not %s', async (_name, person: Partial<IdpPerson>) => {
    const { id } = acme.colleague(person)
    expect(await signIn(acme.provider.loginUrl, id)).toMatchObject({ page: refused('sso_not_allowed'), me: undefined })
  })

  it('is not an address that is only called verified, unless an administrator trusts those without a mark', async () => {
    const person = acme.colleague()
    const mark = (email_verified: unknown) => {
      one.faults.idToken = (claims) => ({ ...claims, email_verified })
    }
    const trusting = await company(one)
    const { hasClientSecret: _has, ...settings } = trusting.provider.oidc
    const oidc = { ...settings, acceptsUnmarkedEmail: true }
    expect((await trusting.admin.patch(`${providersPath}/${trusting.provider.id}`, { oidc })).status).toBe(200)
    const newcomer = trusting.colleague()
    for (const value of ['true', false]) {
      mark(value)
      expect((await signIn(acme.provider.loginUrl, person.email)).me).toBeUndefined()
      expect((await signIn(trusting.provider.loginUrl, newcomer.email)).me).toBeUndefined()
    }
    mark(undefined)
    expect((await signIn(acme.provider.loginUrl, person.email)).me).toBeUndefined()
    expect((await signIn(trusting.provider.loginUrl, newcomer.email)).me.organizationId).toBe(trusting.id)
  })

  it('is nobody with an account of their own outside, but whoever claimed an address without proof gives way', async () => {
    const outside = await app.user({ email: `own.${app.unknownId()}@${acme.domain}`, isProven: true })
    one.add({ email: outside.email })
    expect((await signIn(acme.provider.loginUrl, outside.email)).page).toBe(refused('sso_not_allowed'))
    const squatter = await app.user({ email: `taken.${app.unknownId()}@${acme.domain}`, isProven: false })
    const { email } = one.add({ email: squatter.email })
    const { me } = await signIn(acme.provider.loginUrl, email)
    expect(me.organizationId).toBe(acme.id)
    expect(me.id).not.toBe(squatter.id)
  })

  it('is only who was invited, where it makes no accounts', async () => {
    const strict = await company(one, { createsPeople: false })
    const [invited, other] = [strict.colleague(), strict.colleague()]
    await strict.admin.post('/api/org/team/invite', { email: invited.email, role: 'ROLE_ORG_ADMIN' })
    expect((await signIn(strict.provider.loginUrl, invited.email)).me).toMatchObject({ role: 'ROLE_ORG_ADMIN' })
    expect((await signIn(strict.provider.loginUrl, other.email)).page).toBe(refused('invitation_not_valid'))
  })

  it('is nobody once the domain is no longer the organization’s, or the account is deactivated', async () => {
    const fading = await company(one)
    const gone = fading.colleague()
    const { me } = await signIn(fading.provider.loginUrl, gone.email)
    await fading.admin.post(`/api/org/team/${me.id}/deactivate`)
    expect((await signIn(fading.provider.loginUrl, gone.email)).page).toBe(refused('sso_not_allowed'))
    await fading.admin.delete(`/api/org/domains/${fading.domain}`)
    const { email } = fading.colleague()
    expect((await signIn(fading.provider.loginUrl, email)).page).toBe(refused('sso_not_allowed'))
    const mode = await app.anonymous.get(`/api/auth/resolve-login-mode?email=${email}`)
    expect(mode.body).toEqual({ mode: 'NATIVE' })
  })
})

it('gives the roles and groups that claims say, at each sign-in, and leaves other groups alone', async () => {
  const acme = await company(one)
  const make = async (name: string) => (await acme.admin.post('/api/org/groups', { name })).body.id as string
  const [sales, legal, ours] = [await make('Sales'), await make('Legal'), await make('Ours')]
  const groups = [
    { value: 'dep-sales', groupId: sales },
    { value: 'dep-legal', groupId: legal },
  ]
  const mapping = { roleClaim: 'realm_access.roles', adminValues: ['boss'], groupsClaim: 'groups', groups }
  expect((await acme.admin.patch(`${providersPath}/${acme.provider.id}`, { mapping })).status).toBe(200)
  const person = acme.colleague()
  const as = async (roles: unknown, given: unknown) => {
    one.faults.idToken = (claims) => ({ ...claims, realm_access: { roles }, groups: given })
    const { me } = await signIn(acme.provider.loginUrl, person.email)
    const units: { id: string; memberIds: string[] }[] = (await acme.admin.get('/api/org/groups')).body.items
    const member = units.filter(({ memberIds }) => memberIds.includes(me.id)).map(({ id }) => id)
    return { id: me.id as string, role: me.role, groups: new Set(member) }
  }
  const first = await as(['boss', 'x'], ['dep-sales'])
  expect(first).toMatchObject({ role: 'ROLE_ORG_ADMIN', groups: new Set([sales]) })
  await acme.admin.patch(`/api/org/groups/${ours}`, { memberIds: [first.id] })
  expect(await as('other', ['dep-legal', 7, null])).toMatchObject({ role: 'ROLE_USER', groups: new Set([legal, ours]) })
  expect(await as(undefined, 'dep-sales')).toMatchObject({ role: 'ROLE_USER', groups: new Set([sales, ours]) })
})

it('leaves no token of a sign-in that failed', async () => {
  const acme = await company(one)
  one.faults.signature = 'HS256'
  const { page, token } = await signIn(acme.provider.loginUrl, acme.colleague().email)
  expect({ page, token }).toEqual({ page: refused('sso_failed'), token: undefined })
  expect(await refusals(acme.id)).toEqual(['refused'])
})

it('can be the only way in, once somebody has signed in with it, and is then not taken away', async () => {
  const acme = await company(one)
  const path = `${providersPath}/${acme.provider.id}`
  const choose = (authProvider: string) => acme.admin.patch('/api/org/settings', { authProvider })
  expect(await choose('SSO')).toMatchObject({ status: 503, body: { code: 'sso_not_configured' } })
  const { email } = acme.colleague()
  await signIn(acme.provider.loginUrl, email)
  expect((await choose('SSO')).status).toBe(200)
  const { email: login } = acme.admin
  expect((await app.newcomer().post('/api/auth/login', { email: login, password })).status).toBe(401)
  const mode = await app.anonymous.get(`/api/auth/resolve-login-mode?email=${email}`)
  expect(mode.body).toMatchObject({ mode: 'SSO', passwordAllowed: false })
  expect((await signIn(acme.provider.loginUrl, email)).me.organizationId).toBe(acme.id)
  const inUse = { status: 409, body: { code: 'provider_in_use' } }
  expect(await acme.admin.patch(path, { enabled: false })).toMatchObject(inUse)
  expect(await acme.admin.patch(path, { oidc: { ...acme.body.oidc, issuer: two.issuer } })).toMatchObject(inUse)
  expect(await acme.admin.delete(path)).toMatchObject(inUse)
  expect((await choose('NATIVE')).status).toBe(200)
  expect((await acme.admin.delete(path)).status).toBe(204)
})
