/** The whole way with real cookies: our page, the provider's, and back (A19). */
import { beforeEach, describe, expect, it } from 'vitest'
import { createSealer } from '#kernel/crypto/sealer.ts'
import { hashToken } from '#kernel/crypto/tokens.ts'
import { type OauthBrowser, startOauthApp, startProvider } from '#test/harness/oauth.ts'
import { testSecrets } from '#test/harness/secrets.ts'
import { appOrigin } from '#test/peers/idp-settings.ts'
import { sealedAs } from './store-tokens.ts'

const idp = await startProvider()
const tokenKey = 'a key of its own for the tokens of the provider'
const app = await startOauthApp(idp, {
  env: {
    OAUTH_SESSION_TOKEN_ENCRYPTION_KEY: tokenKey,
    OAUTH_AUTHORIZE_PARAMS: '{"acr_values":"silver","login_hint":"you"}',
    OAUTH_PROVIDER_NAME: 'Acme login',
    LOG_LEVEL: 'debug',
  },
})
beforeEach(() => idp.reset())

let people = 0
const newPerson = (about: Partial<Parameters<typeof idp.add>[0]> = {}) => {
  people += 1
  return idp.add({ email: `sam.${people}@example.test`, ...about })
}
const start = '/oauth/oidc/login'
const problemOf = (page: { headers: Headers }) => page.headers.get('location')
const isSignedIn = async (browser: OauthBrowser) => (await browser.ask(`${app.url}/api/auth/me`)).status === 200

describe('an OAuth login', () => {
  it('is offered to the sign-in page', async () => {
    expect(await app.anonymous.get('/api/auth/oauth/providers')).toMatchObject({
      status: 200,
      body: { providers: [{ id: 'oidc', name: 'Acme login', loginUrl: start }] },
    })
  })

  it('starts with a 302 that carries PKCE, state, nonce and the configured parameters', async () => {
    const reply = await app.anonymous.get(start)
    expect(reply).toMatchObject({ status: 302, text: '' })
    const { origin, pathname, searchParams } = new URL(reply.headers.get('location') ?? '')
    expect(origin + pathname).toBe(`${idp.issuer}/protocol/openid-connect/auth`)
    expect(Object.fromEntries(searchParams)).toEqual({
      response_type: 'code',
      client_id: idp.clientId,
      scope: 'openid email profile',
      redirect_uri: `${appOrigin}/oauth/oidc/callback`,
      code_challenge_method: 'S256',
      acr_values: 'silver',
      login_hint: 'you',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(reply.headers.get('cache-control')).toBe('no-store')
  })

  it('signs a newcomer in and comes back to the page they wanted, with no token in any address', async () => {
    const { email } = newPerson({ firstName: 'Nora', lastName: 'New' })
    const browser = app.newBrowser()
    const back = await browser.signInUntilCallback(`${start}?return_to=/chats/7%3Fx=1`, email)
    const done = await browser.ask(back)
    expect([done.status, done.headers.get('location')]).toEqual([302, '/chats/7?x=1'])
    expect(done.headers.get('cache-control')).toBe('no-store')
    expect(await browser.me()).toMatchObject({ email, name: 'Nora New', role: 'ROLE_USER', organizationId: null })
    expect([...browser.jar().keys()].sort()).toEqual(['oauth_id_token', 'oauth_session_id', 'token'])
  })

  it('knows the person again by issuer and subject, though their address has changed there', async () => {
    const person = newPerson()
    const first = app.newBrowser()
    await first.signIn(start, person.email)
    const { id } = await first.me()
    person.email = 'married.name@example.test'
    person.emailVerified = false
    const again = app.newBrowser()
    await again.signIn(start, person.id)
    expect((await again.me()).id).toBe(id)
  })

  it('takes the address from the userinfo endpoint when the ID token has none', async () => {
    const { email } = newPerson()
    idp.faults.idToken = ({ email: _email, email_verified: _verified, name: _name, ...claims }) => claims
    const browser = app.newBrowser()
    await browser.signIn(start, email)
    expect(await browser.me()).toMatchObject({ email, name: 'Sam Sample' })
    expect(idp.requests).toContainEqual(expect.stringContaining('/userinfo'))
  })

  it('works in parallel tabs that share our cookies, in any order', async () => {
    const { email } = newPerson()
    const shared = new Map<string, string>()
    const tabs = [app.newBrowser(), app.newBrowser()] as const
    for (const tab of tabs) tab.cookies.set(new URL(app.url).host, shared)
    const one = await tabs[0].signInUntilCallback(`${start}?return_to=/one`, email)
    const two = await tabs[1].signInUntilCallback(`${start}?return_to=/two`, email)
    expect((await tabs[1].ask(two)).headers.get('location')).toBe('/two')
    expect((await tabs[0].ask(one)).headers.get('location')).toBe('/one')
  })

  it('makes one account when a newcomer finishes in several tabs at once', async () => {
    const { email } = newPerson()
    const browsers = Array.from({ length: 5 }, () => app.newBrowser())
    const backs = await Promise.all(browsers.map((browser) => browser.signInUntilCallback(start, email)))
    await Promise.all(browsers.map((browser, index) => browser.ask(backs[index] ?? '')))
    const ids = await Promise.all(browsers.map(async (browser) => (await browser.me()).id))
    expect(new Set(ids).size).toBe(1)
  })

  it('appears in the audit log with its issuer', async () => {
    const { email } = newPerson()
    const browser = app.newBrowser()
    await browser.signIn(start, email)
    const { id } = await browser.me()
    const rows = await app.db.selectFrom('auditLog').selectAll().where('actorId', '=', id).orderBy('id').execute()
    expect(rows.map(({ action }) => action)).toEqual(['account.register', 'account.sign_in'])
    for (const { detail } of rows) expect(detail).toMatchObject({ issuer: idp.issuer })
  })
})

describe('the provider’s tokens', () => {
  it('are sealed under their own key, bound to their row, and the cookie is no key to them', async () => {
    const { email } = newPerson()
    const browser = app.newBrowser()
    await browser.signIn(start, email)
    const cookie = browser.jar().get('oauth_session_id') ?? ''
    const tokenHash = hashToken(cookie)
    const row = await app.db
      .selectFrom('oauthSessions')
      .selectAll()
      .where('tokenHash', '=', tokenHash)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(cookie)
    expect(JSON.stringify(row)).not.toContain(browser.jar().get('oauth_id_token'))

    const context = sealedAs(tokenHash)
    const opened = JSON.parse(createSealer({ current: tokenKey, previous: [] }).open(row.sealedTokens, context))
    expect(opened.idToken).toBe(browser.jar().get('oauth_id_token'))
    expect(opened.accessToken).toEqual(expect.any(String))
    const other = createSealer({ current: testSecrets.SVC_SECRET_KEY, previous: [] })
    expect(() => other.open(row.sealedTokens, context)).toThrow()
  })

  it('are kept for the ten newest logins of a person', async () => {
    const { email } = newPerson()
    const browser = app.newBrowser()
    for (let login = 0; login < 12; login += 1) {
      app.clock.forward({ ms: 10 })
      await browser.signIn(start, email)
    }
    const { id } = await browser.me()
    const rows = await app.db.selectFrom('oauthSessions').select('tokenHash').where('userId', '=', id).execute()
    expect(rows).toHaveLength(10)
    expect(rows.map((row) => row.tokenHash)).toContain(hashToken(browser.jar().get('oauth_session_id') ?? ''))
  })

  it('go with the logout, and so do the cookies', async () => {
    const { email } = newPerson()
    const [browser, other] = [app.newBrowser(), app.newBrowser()]
    await browser.signIn(start, email)
    await other.signIn(start, email)
    const { id } = await browser.me()
    const headers = { origin: app.url }
    expect((await browser.ask(`${app.url}/api/auth/logout`, { method: 'POST', headers })).status).toBe(204)
    expect([...browser.jar().keys()]).toEqual([])
    const rows = await app.db.selectFrom('oauthSessions').select('tokenHash').where('userId', '=', id).execute()
    expect(rows).toEqual([{ tokenHash: hashToken(other.jar().get('oauth_session_id') ?? '') }])
  })

  it('are nobody’s business in the log', async () => {
    const { email } = newPerson()
    const browser = app.newBrowser()
    const back = await browser.signInUntilCallback(start, email)
    await browser.ask(back)
    const code = new URL(back).searchParams.get('code') ?? 'no code'
    for (const secret of [code, ...browser.jar().values()]) expect(app.logLines.join()).not.toContain(secret)
  })
})

describe('a login that cannot be trusted', () => {
  const failed = '/sign-in?problem=oauth_failed'

  it('has no state, a wrong state, or the state of another browser', async () => {
    const { email } = newPerson()
    const browser = app.newBrowser()
    const back = await browser.signInUntilCallback(start, email)
    const [none, wrong] = [new URL(back), new URL(back)]
    none.searchParams.delete('state')
    wrong.searchParams.set('state', 'x'.repeat(43))
    const stranger = app.newBrowser()
    for (const [who, url] of [
      [browser, none.href],
      [browser, wrong.href],
      [stranger, back],
    ] as const) {
      expect(problemOf(await who.ask(url))).toBe(failed)
      expect(await isSignedIn(who)).toBe(false)
    }
    expect(problemOf(await browser.ask(back))).toBe('/')
  })

  it('is finished a second time, even with the cookie put back', async () => {
    const { email } = newPerson()
    const browser = app.newBrowser()
    const back = await browser.signInUntilCallback(start, email)
    const kept = new Map(browser.jar())
    expect(problemOf(await browser.ask(back))).toBe('/')
    expect(problemOf(await browser.ask(back))).toBe(failed)

    const thief = app.newBrowser()
    thief.cookies.set(new URL(app.url).host, new Map(kept))
    expect(problemOf(await thief.ask(back))).toBe(failed)
    expect(await isSignedIn(thief)).toBe(false)
  })

  it('can be started again after it failed, though its code is still valid', async () => {
    const { email } = newPerson()
    const browser = app.newBrowser()
    const back = await browser.signInUntilCallback(start, email)
    const kept = new Map(browser.jar())
    idp.faults.isDown = true
    expect(problemOf(await browser.ask(back))).toBe('/sign-in?problem=idp_unavailable')
    idp.faults.isDown = false
    browser.cookies.set(new URL(app.url).host, kept)
    expect(problemOf(await browser.ask(back))).toBe(failed)
    expect(await isSignedIn(browser)).toBe(false)
  })

  it('brings a code that was used before, under a state of its own', async () => {
    const { email } = newPerson()
    const browser = app.newBrowser()
    const used = await browser.signInUntilCallback(start, email)
    await browser.ask(used)
    const thief = app.newBrowser()
    const fresh = new URL(await thief.signInUntilCallback(start, email))
    fresh.searchParams.set('code', new URL(used).searchParams.get('code') ?? '')
    expect(problemOf(await thief.ask(fresh.href))).toBe(failed)
    expect(await isSignedIn(thief)).toBe(false)
  })

  it('carries a parameter twice, an error, or a cookie that was touched', async () => {
    const { email } = newPerson()
    const browser = app.newBrowser()
    const twice = await browser.signInUntilCallback(start, email)
    expect(problemOf(await browser.ask(`${twice}&code=another`))).toBe(failed)

    const nobody = app.newBrowser()
    const denied = await nobody.signInUntilCallback(start, 'nobody@example.test')
    expect(new URL(denied).searchParams.get('error')).toBe('access_denied')
    expect(problemOf(await nobody.ask(denied))).toBe(failed)

    const touched = await browser.signInUntilCallback(start, email)
    const jar = browser.jar()
    for (const [name, value] of jar) if (name.startsWith('oauth_begun_')) jar.set(name, `${value.slice(0, -2)}AA`)
    expect(problemOf(await browser.ask(touched))).toBe(failed)
    expect(await isSignedIn(browser)).toBe(false)
  })

  it.each([
    ['another nonce', { idToken: (claims: object) => ({ ...claims, nonce: 'of another login' }) }],
    ['an issuer with a slash more', { idToken: (claims: object) => ({ ...claims, iss: `${idp.issuer}/` }) }],
    ['the azp of another client', { idToken: (claims: object) => ({ ...claims, azp: 'another' }) }],
    ['a second audience', { idToken: (claims: object) => ({ ...claims, aud: [idp.clientId, 'another'] }) }],
    ['a signature by our own secret', { signature: 'HS256' as const }],
    ['a signature that was tampered with', { signature: 'tampered' as const }],
  ])('holds a token with %s', async (_name, fault) => {
    const { email } = newPerson()
    Object.assign(idp.faults, fault)
    const browser = app.newBrowser()
    const back = await browser.signInUntilCallback(start, email)
    expect(problemOf(await browser.ask(back))).toBe(failed)
    expect(await isSignedIn(browser)).toBe(false)
  })

  it.each(['https://evil.test/', '//evil.test', '/\\evil.test', '/%09/evil.test', 'javascript:alert(1)'])(
    'would lead to %s: it ends on our first page',
    async (target) => {
      const { email } = newPerson()
      const browser = app.newBrowser()
      const back = await browser.signInUntilCallback(`${start}?return_to=${target}`, email)
      expect((await browser.ask(back)).headers.get('location')).toBe('/')
    },
  )
})

/** Another app, with the usual cookies. Its tests are in order: it has not met the provider yet, and its clock goes ahead at the end. */
const early = await startOauthApp(idp, { env: { SVC_SESSION_COOKIE_SECURE: '', SVC_AUTH_COOKIE_SECURE: '' } })

describe('a provider that is away', () => {
  it('is no better when its discovery points into the private network', async () => {
    idp.faults.discovery = (response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
    const browser = early.newBrowser()
    expect(problemOf(await browser.ask(`${early.url}${start}`))).toMatch(/^\/sign-in\?problem=/)
  })

  it('is shown to the person who starts, and the next attempt finds it working again', async () => {
    const { email } = newPerson()
    idp.faults.isDown = true
    const browser = early.newBrowser()
    expect(problemOf(await browser.ask(`${early.url}${start}`))).toBe('/sign-in?problem=idp_unavailable')
    idp.faults.isDown = false
    await browser.signIn(start, email)
    expect(await browser.me()).toMatchObject({ email })
  })

  it('is shown to the person who comes back', async () => {
    const { email } = newPerson()
    const browser = app.newBrowser()
    const back = await browser.signInUntilCallback(start, email)
    idp.faults.isDown = true
    expect(problemOf(await browser.ask(back))).toBe('/sign-in?problem=idp_unavailable')
    expect(await isSignedIn(browser)).toBe(false)
  })
})

describe('the cookies', () => {
  const flagsAfterLogin = async (flagged: typeof app) => {
    const { email } = newPerson()
    const browser = flagged.newBrowser()
    const begun = await browser.ask(`${flagged.url}${start}`)
    const back = await browser.signInUntilCallback(start, email)
    const done = await browser.ask(back)
    return [...begun.headers.getSetCookie(), ...done.headers.getSetCookie()].filter((line) => !/Max-Age=0/.test(line))
  }

  it('follow their variables: session for a begun login, auth for a finished one', async () => {
    const env = {
      SVC_SESSION_COOKIE_SECURE: 'true',
      SVC_SESSION_COOKIE_SAME_SITE: 'none',
      SVC_AUTH_COOKIE_SECURE: 'false',
      SVC_AUTH_COOKIE_SAME_SITE: 'strict',
    }
    const lines = await flagsAfterLogin(await startOauthApp(idp, { env, databaseUrl: app.databaseUrl }))
    const [begun = '', ...finished] = lines
    expect(begun).toMatch(/^oauth_begun_\w{16}=v1\..*; Path=\/oauth; .*HttpOnly; Secure; SameSite=None$/)
    expect(finished.map((line) => line.split('=')[0]).sort()).toEqual(['oauth_id_token', 'oauth_session_id', 'token'])
    for (const line of finished) {
      expect(line).toMatch(/; Path=\/; .*HttpOnly; SameSite=Strict$/)
      expect(line).not.toContain('Secure')
    }
  })

  it('are Secure and Lax unless told otherwise', async () => {
    const lines = await flagsAfterLogin(early)
    expect(lines).toHaveLength(4)
    for (const line of lines) expect(line).toMatch(/HttpOnly; Secure; SameSite=Lax$/)
  })
})

it('a login that was begun too long ago is not finished', async () => {
  const { email } = newPerson()
  const browser = early.newBrowser()
  const back = await browser.signInUntilCallback(start, email)
  early.clock.forward({ minutes: 11 })
  expect(problemOf(await browser.ask(back))).toBe('/sign-in?problem=oauth_failed')
})
