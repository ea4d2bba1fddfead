/** Signing in at the company's identity provider, with a real provider and a browser's cookies. */
import { describe, expect, it } from 'vitest'
import { bearer } from '#test/harness/client.ts'
import { password } from '#test/harness/people.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { ssoScene, tokenOf } from '#test/harness/sso.ts'

const { app, idp, company, browser } = await ssoScene()

const me = async (token: string | undefined) => (await app.anonymous.get('/api/auth/me', bearer(token ?? ''))).body
const back = /chancery\.test\/(?!sso\/)/

describe('company login', () => {
  it('signs a newcomer of the company’s mail domain in, as a member, and returns to where it began', async () => {
    const acme = await company()
    const person = acme.colleague({ firstName: 'Nia', lastName: 'New' })
    const tab = browser()
    const page = await tab.signIn('/sso/idp?return_to=/documents/42%3Ftab%3Daudit', person.email, { stopAt: back })
    expect(new URL(page.url).pathname + new URL(page.url).search).toBe('/documents/42?tab=audit')
    expect(await me(tokenOf(tab, app.url))).toMatchObject({
      email: person.email,
      name: 'Nia New',
      role: 'ROLE_USER',
      organizationId: acme.id,
    })
  })

  it('knows the person again by subject, whatever their address there has become', async () => {
    const acme = await company()
    const person = acme.colleague()
    const first = browser()
    await first.signIn('/sso/idp', person.email, { stopAt: back })
    const { id } = await me(tokenOf(first, app.url))
    person.email = 'elsewhere@unknown.test'
    const second = browser()
    await second.signIn('/sso/idp', person.id, { stopAt: back })
    expect(await me(tokenOf(second, app.url))).toMatchObject({ id })
  })

  it('opens the existing account of a verified address inside the company', async () => {
    const acme = await company()
    idp.add({ email: acme.admin.email })
    const tab = browser()
    await tab.signIn('/sso/idp', acme.admin.email, { stopAt: back })
    expect(await me(tokenOf(tab, app.url))).toMatchObject({ id: acme.admin.id, role: 'ROLE_ORG_ADMIN' })
  })

  it('lets parallel tabs of one browser finish in any order', async () => {
    const acme = await company()
    const person = acme.colleague()
    const tab = browser()
    const [first, second] = [
      await tab.walk(`${app.url}/sso/idp?return_to=/first`),
      await tab.walk(`${app.url}/sso/idp?return_to=/second`),
    ]
    const finish = async (form: { url: string }) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const sent = await tab.ask(form.url, {
        method: 'POST',
        body: `login=${encodeURIComponent(person.email)}`,
        headers,
      })
      return tab.walk(new URL(sent.headers.get('location') ?? '', form.url).href, { stopAt: back })
    }
    expect((await finish(second)).url).toContain('/second')
    expect((await finish(first)).url).toContain('/first')
  })

  it('makes one account of a newcomer who finishes two logins at once', async () => {
    const acme = await company()
    const person = acme.colleague()
    const tabs = [browser(), browser(), browser()]
    await Promise.all(tabs.map((tab) => tab.signIn('/sso/idp', person.email, { stopAt: back })))
    const ids = await Promise.all(tabs.map(async (tab) => (await me(tokenOf(tab, app.url))).id))
    expect(new Set(ids).size).toBe(1)
    expect(ids[0]).toBeDefined()
  })

  it('asks for S256 and random state and nonce, and keeps them in a cookie that only we can read', async () => {
    const tab = browser()
    const replies = [await tab.ask(`${app.url}/sso/idp`), await tab.ask(`${app.url}/sso/idp`)]
    const queries = replies.map((reply) => new URL(reply.headers.get('location') ?? '').searchParams)
    for (const query of queries) {
      expect(query.get('code_challenge_method')).toBe('S256')
      for (const name of ['state', 'nonce', 'code_challenge']) expect(query.get(name)).toMatch(/^[\w-]{43}$/)
    }
    expect(new Set(queries.map((query) => query.get('state'))).size).toBe(2)
    const [cookie = ''] = replies[0]?.headers.getSetCookie() ?? []
    expect(cookie).toMatch(/^sso_tx_[0-9a-f]{16}=v1\./)
    expect(cookie).toMatch(/; HttpOnly/)
    expect(cookie).toMatch(/SameSite=Lax/)
    expect(cookie).not.toContain(queries[0]?.get('nonce'))
  })

  it('puts no token and no code into an address of ours, and sends no referrer', async () => {
    const acme = await company()
    const person = acme.colleague()
    const tab = browser()
    const page = await tab.signIn('/sso/idp', person.email, { stopAt: back })
    expect(page.url).toBe('http://chancery.test/')
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.getSetCookie().filter((line) => /^sso_tx_.*Max-Age=0/.test(line))).toHaveLength(1)
  })

  it('refuses a password to people whose company signs in elsewhere', async () => {
    const acme = await company()
    const reply = await app.newcomer().post('/api/auth/login', { email: acme.admin.email, password })
    expect(reply).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
  })

  it('takes no platform admin: their address gives no access to the console', async () => {
    const acme = await company()
    const owner = await app.platformOwner()
    const email = `operator@${acme.domain}`
    await owner.post('/api/admin/auth/accounts', { name: 'Operator', email, password })
    idp.add({ email })
    const tab = browser()
    await tab.signIn('/sso/idp', email, { stopAt: back })
    const token = tokenOf(tab, app.url)
    expect(await me(token)).toMatchObject({ role: 'ROLE_USER' })
    expect(await app.anonymous.get('/api/admin/users', bearer(token ?? ''))).toMatchObject({ status: 403 })
  })

  it('lets nobody in whom the company has deactivated', async () => {
    const acme = await company()
    const person = acme.colleague()
    const tab = browser()
    await tab.signIn('/sso/idp', person.email, { stopAt: back })
    const { id } = await me(tokenOf(tab, app.url))
    expect(await acme.admin.post(`/api/org/team/${id}/deactivate`)).toMatchObject({ status: 200 })
    const again = browser()
    const page = await again.signIn('/sso/idp', person.email, { stopAt: back })
    expect(page.url).toBe('http://chancery.test/sign-in?problem=sso_not_allowed')
    expect(tokenOf(again, app.url)).toBeUndefined()
  })
})

describe('how an address signs in', () => {
  const modeOf = async (email: string) =>
    (await app.newcomer().get(`/api/auth/resolve-login-mode?email=${encodeURIComponent(email)}`)).body

  it('is the provider for an account of an SSO company and for its mail domain, and native for everybody else', async () => {
    const acme = await company()
    const plain = await company({ authProvider: 'NATIVE' })
    const sso = { mode: 'SSO', ssoUrl: '/sso/idp' }
    expect(await modeOf(acme.admin.email)).toEqual(sso)
    expect(await modeOf(`nobody.yet@${acme.domain.toUpperCase()}`)).toEqual(sso)
    expect(await modeOf(`x@sub.${acme.domain}`)).toEqual({ mode: 'NATIVE' })
    expect(await modeOf(plain.admin.email)).toEqual({ mode: 'NATIVE' })
    expect(await modeOf('nobody@nowhere.test')).toEqual({ mode: 'NATIVE' })
  })
})

describe('the configuration', () => {
  it('is shown on the sign-in page', async () => {
    expect(await app.anonymous.get('/sso/config')).toMatchObject({
      status: 200,
      body: { enabled: true, provider: '127.0.0.1', loginUrl: '/sso/idp' },
    })
  })

  it('left blank means native login only', async () => {
    const native = await sharedApp()
    expect((await native.anonymous.get('/sso/config')).body).toEqual({ enabled: false })
    const start = await native.anonymous.get('/sso/idp')
    expect([start.status, start.headers.get('location')]).toEqual([302, '/sign-in?problem=sso_not_configured'])
    const admin = await native.user({ org: 'native only' })
    expect(await admin.patch('/api/org/settings', { authProvider: 'SSO' })).toMatchObject({
      body: { code: 'sso_not_configured' },
    })
  })

  it('makes the cookies secure and bound to the host where it says so', async () => {
    const secure = await ssoScene({ env: { IDP_SSO_COOKIE_SECURE: 'true' } })
    const reply = await secure.app.anonymous.get('/sso/idp')
    expect(reply.headers.getSetCookie()[0]).toMatch(/^__Host-sso_tx_[0-9a-f]{16}=.*; Path=\/.*; Secure/)
    expect(reply.headers.getSetCookie()[0]).not.toMatch(/Domain=/)
    await secure.app.stop()
  })
})
