/** Checklist A19, item by item, and the faults of a provider: each attempt ends on the sign-in page with nothing gained. */
import { afterEach, describe, expect, it } from 'vitest'
import { bearer } from '#test/harness/client.ts'
import { ssoScene, tokenOf } from '#test/harness/sso.ts'
import type { Browser } from '#test/peers/idp-browser.ts'
import { startSite } from '#test/peers/site.ts'

const { app, idp, company, browser } = await ssoScene({
  env: { IDP_ALLOWED_CLIENT_IDS: 'chancery, chancery-mobile', LOG_LEVEL: 'debug' },
})
const acme = await company()
const back = /chancery\.test\/(?!sso\/)/

afterEach(() => {
  for (const name of Object.keys(idp.faults)) delete idp.faults[name as keyof typeof idp.faults]
})

const expectRefused = (tab: Browser, page: { url: string }, code = 'sso_failed') => {
  expect(page.url).toBe(`http://chancery.test/sign-in?problem=${code}`)
  expect(tokenOf(tab, app.url)).toBeUndefined()
}

/** A whole login of somebody new of the company. */
const logIn = async (path = '/sso/idp') => {
  const tab = browser()
  const page = await tab.signIn(path, acme.colleague().email, { stopAt: back })
  return { tab, page }
}

/** A login that stops where the provider sends the browser back to us. */
const logInUntilCallback = async (tab = browser(), person = acme.colleague()) => {
  const page = await tab.signIn('/sso/idp', person.email, { stopAt: /\/sso\/callback/ })
  return { tab, callback: page.url, person }
}

describe('a company created under the address of somebody else, which only the operators can switch', () => {
  const found = async (isProven: boolean) => {
    const founder = await app.user({ org: `squat ${isProven}`, email: `victim.${isProven}@mail.test`, isProven })
    const switched = await founder.patch('/api/org/settings', { authProvider: 'SSO' })
    expect(switched).toMatchObject({ status: 409, body: { code: 'domain_required' } })
    const owner = await app.platformOwner()
    const consent = await owner.patch(`/api/admin/organizations/${founder.organizationId}`, { authProvider: 'SSO' })
    expect(consent.status).toBe(200)
    const { email } = idp.add({ email: founder.email })
    const tab = browser()
    return { tab, page: await tab.signIn('/sso/idp', email, { stopAt: back }) }
  }

  it('does not get its owner, whose address nobody proved', async () => {
    const { tab, page } = await found(false)
    expectRefused(tab, page, 'sso_not_allowed')
  })

  it('is theirs when they had proved the address themselves', async () => {
    const { tab } = await found(true)
    expect(tokenOf(tab, app.url)).toBeDefined()
  })
})

it('an unproven account of the own domain is opened, and what its maker had of it ends', async () => {
  const domain = `own-${app.unknownId()}.test`
  const founder = await app.user({ org: domain, email: `boss@${domain}` })
  const { organizationId } = founder
  const { key } = (await founder.post('/api/v1/api-keys', { name: 'k' })).body
  const createdAt = app.clock.now()
  const row = { domain, organizationId: organizationId ?? '', verifiedAt: createdAt, txtToken: null, createdAt }
  await app.db.insertInto('organizationDomains').values(row).execute()
  const owner = await app.platformOwner()
  await owner.patch(`/api/admin/organizations/${organizationId}`, { authProvider: 'SSO' })
  const { email } = idp.add({ email: founder.email })
  const tab = browser()
  await tab.signIn('/sso/idp', email, { stopAt: back })
  const ask = async (token: string | undefined) => (await app.newcomer().get('/api/auth/me', bearer(token ?? ''))).body
  expect(await ask(tokenOf(tab, app.url))).toMatchObject({ id: founder.id, emailVerified: true })
  expect(await ask(key)).toMatchObject({ code: 'not_authenticated' })
  const { passwordHash } = await app.db
    .selectFrom('users')
    .select('passwordHash')
    .where('id', '=', founder.id)
    .executeTakeFirstOrThrow()
  expect(passwordHash).toBeNull()
})

describe('an ID token is refused', () => {
  const seconds = () => Math.floor(Date.now() / 1000)
  it.each([
    ['of an issuer with a slash more', (claims: object) => ({ ...claims, iss: `${idp.issuer}/` })],
    ['of another issuer', (claims: object) => ({ ...claims, iss: 'https://elsewhere.test/realms/acme' })],
    ['issued to another client', (claims: object) => ({ ...claims, azp: 'somebody-else' })],
    ['for another audience', (claims: object) => ({ ...claims, aud: 'somebody-else' })],
    ['for us and a stranger', (claims: object) => ({ ...claims, aud: ['chancery', 'somebody-else'] })],
    [
      'for several, without azp',
      (claims: object) => ({ ...claims, aud: ['chancery', 'chancery-mobile'], azp: undefined }),
    ],
    ['with an empty list of audiences', (claims: object) => ({ ...claims, aud: [] })],
    ['with another nonce', (claims: object) => ({ ...claims, nonce: 'x'.repeat(43) })],
    ['without a nonce', (claims: object) => ({ ...claims, nonce: undefined })],
    ['without a subject', (claims: object) => ({ ...claims, sub: undefined })],
    ['that is an access token', (claims: object) => ({ ...claims, typ: 'Bearer' })],
    [
      'that has expired five minutes ago',
      (claims: object) => ({ ...claims, iat: seconds() - 600, exp: seconds() - 300 }),
    ],
    [
      'that comes from five minutes ahead',
      (claims: object) => ({ ...claims, iat: seconds() + 300, exp: seconds() + 600 }),
    ],
  ])('%s', async (_name, change) => {
    idp.faults.idToken = change
    const { tab, page } = await logIn()
    expectRefused(tab, page)
  })

  it.each(['tampered', 'HS256'] as const)('whose signature is %s', async (signature) => {
    idp.faults.signature = signature
    const { tab, page } = await logIn()
    expectRefused(tab, page)
  })

  it('but taken with clocks half a minute apart, from an allowed client, or for us alone without azp', async () => {
    const skewed = (claims: object) => ({ ...claims, iat: seconds() + 30, exp: seconds() + 300 })
    const slow = (claims: object) => ({ ...claims, iat: seconds() - 330, exp: seconds() - 30 })
    const mobile = (claims: object) => ({ ...claims, azp: 'chancery-mobile' })
    const alone = (claims: object) => ({ ...claims, azp: undefined })
    for (const change of [skewed, slow, mobile, alone]) {
      idp.faults.idToken = change
      const { tab } = await logIn()
      expect(tokenOf(tab, app.url)).toBeDefined()
    }
  })
})

describe('a callback is refused', () => {
  it('in another browser than the one that began', async () => {
    const { callback } = await logInUntilCallback()
    const thief = browser()
    expectRefused(thief, await thief.walk(callback, { stopAt: back }))
  })

  it('when its state was used, though the browser kept the cookie and the provider gave a second code for it', async () => {
    const person = acme.colleague()
    const tab = browser()
    const begun = (await tab.ask(`${app.url}/sso/idp`)).headers.get('location') ?? ''
    const form = await tab.walk(begun)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const sent = await tab.ask(form.url, { method: 'POST', body: `login=${encodeURIComponent(person.email)}`, headers })
    const stopAt = /\/sso\/callback/
    const first = await tab.walk(new URL(sent.headers.get('location') ?? '', form.url).href, { stopAt })
    const kept = new Map(tab.cookies.get(new URL(app.url).host))
    await tab.walk(first.url, { stopAt: back })
    expect(tokenOf(tab, app.url)).toBeDefined()

    const second = await tab.walk(begun, { stopAt })
    const codeOf = ({ url }: { url: string }) => new URL(url).searchParams.get('code')
    expect(codeOf(second)).not.toBe(codeOf(first))
    const thief = browser()
    thief.cookies.set(new URL(app.url).host, kept)
    expectRefused(thief, await thief.walk(second.url, { stopAt: back }))
  })

  it('when its code was used', async () => {
    const first = await logInUntilCallback()
    const second = await logInUntilCallback()
    const code = new URL(first.callback).searchParams.get('code') ?? ''
    await first.tab.walk(first.callback, { stopAt: back })
    const replayed = new URL(second.callback)
    replayed.searchParams.set('code', code)
    expectRefused(second.tab, await second.tab.walk(replayed.href, { stopAt: back }))
  })

  it.each([
    ['another issuer', (url: URL) => url.searchParams.set('iss', 'https://elsewhere.test')],
    ['no issuer, though the provider promised one', (url: URL) => url.searchParams.delete('iss')],
    ['no code', (url: URL) => url.searchParams.delete('code')],
    ['an error', (url: URL) => url.searchParams.set('error', 'access_denied')],
  ])('with %s', async (_name, change) => {
    const { tab, callback } = await logInUntilCallback()
    const url = new URL(callback)
    change(url)
    expectRefused(tab, await tab.walk(url.href, { stopAt: back }))
  })

  it('with a state that was never given out, empty, or twice', async () => {
    for (const query of ['state=x&code=y', 'state=&code=y', 'code=y', '']) {
      const tab = browser()
      expectRefused(tab, await tab.walk(`http://chancery.test/sso/callback?${query}`, { stopAt: back }))
    }
    expect((await app.anonymous.get('/sso/callback?state=a&state=b&code=c')).status).toBe(422)
  })
})

describe('nobody is linked', () => {
  it.each([false, 'true', 1, undefined])('by an address that the provider calls verified as %j', async (isVerified) => {
    idp.faults.idToken = (claims) => ({ ...claims, email: acme.admin.email, email_verified: isVerified })
    const { tab, page } = await logIn()
    expectRefused(tab, page, 'sso_not_allowed')
  })

  it('to an account of a company that signs in here', async () => {
    const native = await company({ authProvider: 'NATIVE' })
    idp.add({ email: native.admin.email })
    const tab = browser()
    expectRefused(tab, await tab.signIn('/sso/idp', native.admin.email, { stopAt: back }), 'sso_not_allowed')
  })

  it('to an account without a company', async () => {
    const ana = await app.user()
    idp.add({ email: ana.email })
    const tab = browser()
    expectRefused(tab, await tab.signIn('/sso/idp', ana.email, { stopAt: back }), 'sso_not_allowed')
  })

  it('to the account of somebody who signs in as another subject', async () => {
    const person = acme.colleague()
    const own = browser()
    await own.signIn('/sso/idp', person.email, { stopAt: back })
    const heir = idp.add({ email: 'heir@elsewhere.test' })
    idp.faults.idToken = (claims) => ({ ...claims, email: person.email, email_verified: true })
    const tab = browser()
    expectRefused(tab, await tab.signIn('/sso/idp', heir.id, { stopAt: back }), 'sso_not_allowed')
  })

  it('and nobody gets in whom no company here knows', async () => {
    const stranger = idp.add({ email: 'stranger@nowhere.test' })
    const tab = browser()
    expectRefused(tab, await tab.signIn('/sso/idp', stranger.email, { stopAt: back }), 'sso_not_allowed')
  })
})

describe('a return address', () => {
  it.each([
    '//evil.test',
    '/\\evil.test',
    'https://evil.test',
    'javascript:alert(1)',
    '/%09/evil.test',
    '/\t/evil.test',
    '/..//evil.test',
    'evil',
    '',
  ])('never leaves the site: %s', async (address) => {
    const { page } = await logIn(`/sso/idp?return_to=${encodeURIComponent(address)}`)
    expect(new URL(page.url).origin).toBe('http://chancery.test')
    expect(page.headers.get('location')).toMatch(/^\/(?![/\\])/)
  })
})

describe('a provider', () => {
  it('whose picture claim points inside makes us ask nobody', async () => {
    const inside = await startSite((_request, response) => response.end('secret'))
    idp.faults.idToken = (claims) => ({ ...claims, picture: `${inside.origin}/metadata` })
    const { tab } = await logIn()
    expect(tokenOf(tab, app.url)).toBeDefined()
    expect(inside.connections()).toBe(0)
    await inside.close()
  })

  it('that is slow is waited for', async () => {
    const { tab, callback } = await logInUntilCallback()
    idp.faults.slowMs = 150
    await tab.walk(callback, { stopAt: back })
    expect(idp.requests.at(-1)).toMatch(/^POST .*\/token$/)
    expect(tokenOf(tab, app.url)).toBeDefined()
  })

  it('that goes down before the callback is named as the reason', async () => {
    const { tab, callback } = await logInUntilCallback()
    idp.faults.isDown = true
    expectRefused(tab, await tab.walk(callback, { stopAt: back }), 'idp_unavailable')
  })

  it('leaves neither codes nor tokens in the log, of logins that succeed and of those that do not', async () => {
    const { tab, callback } = await logInUntilCallback()
    await tab.walk(callback, { stopAt: back })
    await tab.walk(callback, { stopAt: back })
    const log = app.logLines.join('\n')
    expect(log).toContain('A company login did not succeed.')
    const { searchParams } = new URL(callback)
    for (const secret of [searchParams.get('code'), searchParams.get('state'), tokenOf(tab, app.url)])
      expect(log).not.toContain(secret ?? 'a secret that is missing')
    expect(log).not.toContain('eyJ')
  })
})

/** In this order: what the app has once learned of a provider, it remembers. */
describe('a provider that the app has not met', async () => {
  const scene = await ssoScene({ isDownAtStart: true })
  const { colleague } = await scene.company()
  const begin = async () => (await scene.app.anonymous.get('/sso/idp')).headers.get('location')
  const discoveryOf = async () => (await fetch(`${scene.idp.issuer}/.well-known/openid-configuration`)).json()
  const answerDiscovery = (document: object) => {
    scene.idp.faults.discovery = (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))
  }

  it('and is down at the start stops neither the start nor native logins', async () => {
    const ana = await scene.app.user()
    expect(await ana.get('/api/auth/me')).toMatchObject({ status: 200 })
    expect(await begin()).toBe('/sign-in?problem=idp_unavailable')
    scene.idp.faults.isDown = false
  })

  it.each(['http://169.254.169.254/latest/meta-data', 'http://127.0.0.2:1/'])(
    'and whose discovery redirects to %s is not followed',
    async (location) => {
      scene.idp.faults.discovery = (response) => response.writeHead(302, { location }).end()
      expect(await begin()).toBe('/sign-in?problem=idp_unavailable')
      delete scene.idp.faults.discovery
    },
  )

  it('and that calls itself otherwise is not believed', async () => {
    const real = await discoveryOf()
    answerDiscovery({ ...real, issuer: `${real.issuer}/` })
    expect(await begin()).toBe('/sign-in?problem=sso_failed')
    delete scene.idp.faults.discovery
  })

  it('works once it is back', async () => {
    const tab = scene.browser()
    await tab.signIn('/sso/idp', colleague().email, { stopAt: back })
    expect(tokenOf(tab, scene.app.url)).toBeDefined()
  })

  it('ends no login more than ten minutes after it was begun', async () => {
    const tab = scene.browser()
    const page = await tab.signIn('/sso/idp', colleague().email, { stopAt: /\/sso\/callback/ })
    scene.app.clock.forward({ minutes: 11 })
    expect((await tab.walk(page.url, { stopAt: back })).url).toContain('problem=sso_failed')
  })

  it('and whose discovery names endpoints inside is not believed, when it is read again', async () => {
    const inside = await startSite((_request, response) => response.end('{}'), '127.0.0.3')
    const real = await discoveryOf()
    answerDiscovery({ ...real, token_endpoint: `${inside.origin}/token`, jwks_uri: `${inside.origin}/keys` })
    const tab = scene.browser()
    const page = await tab.signIn('/sso/idp', colleague().email, { stopAt: back })
    expect(page.url).toContain('/sign-in?problem=')
    expect(inside.connections()).toBe(0)
    await inside.close()
  })
})
