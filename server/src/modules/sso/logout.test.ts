/** Signing out: here and there, and here because of there. */
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { bearer } from '#test/harness/client.ts'
import { ssoScene, tokenOf } from '#test/harness/sso.ts'

const { app, idp, company, browser } = await ssoScene()
const acme = await company()
const back = /chancery\.test\/(?!sso\/)/

const statusOf = async (token: string | undefined) =>
  (await app.anonymous.get('/api/auth/me', bearer(token ?? ''))).status

const logIn = async (person = acme.colleague()) => {
  const tab = browser()
  await tab.signIn('/sso/idp', person.email, { stopAt: back })
  const token = tokenOf(tab, app.url) ?? ''
  expect(await statusOf(token)).toBe(200)
  return { tab, person, token }
}

const tell = (logoutToken: string) =>
  app.anonymous.send('POST', '/sso/backchannel-logout', {
    body: new URLSearchParams({ logout_token: logoutToken }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

const event = { 'http://schemas.openid.net/event/backchannel-logout': {} }
const claimsFor = (more: object) => ({
  iss: idp.issuer,
  aud: idp.clientId,
  iat: Math.floor(Date.now() / 1000),
  jti: randomUUID(),
  events: event,
  ...more,
})

describe('signing out', () => {
  it('ends the session here, tells the provider whose it was, and comes back to the sign-in page', async () => {
    const { tab, token } = await logIn()
    const reply = await tab.ask(`${app.url}/sso/logout`)
    const address = new URL(reply.headers.get('location') ?? '')
    expect(address.href).toContain(`${idp.issuer}/protocol/openid-connect/logout`)
    expect(address.searchParams.get('id_token_hint')).toMatch(/^eyJ/)
    expect(address.searchParams.get('post_logout_redirect_uri')).toBe('http://chancery.test/sign-in')
    expect(await statusOf(token)).toBe(401)
    expect(tokenOf(tab, app.url)).toBeUndefined()
    expect((await tab.ask(address.href)).status).toBe(200)
  })

  it('of somebody who signed in with a password stays here', async () => {
    const ana = await app.user()
    const reply = await ana.get('/sso/logout')
    expect([reply.status, reply.headers.get('location')]).toEqual([302, '/sign-in'])
    expect(await statusOf(ana.token)).toBe(401)
  })

  it('does not follow a link on another site', async () => {
    const ana = await app.user()
    for (const site of ['cross-site', 'same-site']) {
      const reply = await ana.get('/sso/logout', { 'sec-fetch-site': site })
      expect([reply.status, reply.headers.get('location')]).toEqual([302, '/'])
    }
    expect(await statusOf(ana.token)).toBe(200)
    await ana.get('/sso/logout', { 'sec-fetch-site': 'same-origin' })
    expect(await statusOf(ana.token)).toBe(401)
  })

  it('happens to everybody with a password session when the company switches to its own login', async () => {
    const other = await company({ authProvider: 'NATIVE' })
    const member = await app.user({ org: other.domain, email: `member@${other.domain}` })
    const { key } = (await member.post('/api/v1/api-keys', { name: 'k' })).body
    expect(await other.admin.patch('/api/org/settings', { authProvider: 'SSO' })).toMatchObject({ status: 200 })
    expect([await statusOf(member.token), await statusOf(key), await statusOf(other.admin.token)]).toEqual([
      401, 200, 200,
    ])
  })

  it('asks strangers to sign in', async () =>
    expect(await app.newcomer().get('/sso/logout')).toMatchObject({ status: 401 }))
})

describe('a logout at the provider', () => {
  let login: ReturnType<typeof logIn> | undefined
  /** No refused logout ends it, so one login is enough for all of them. */
  const stillThere = () => {
    login ??= logIn()
    return login
  }

  it('ends the session here, told by the provider itself', async () => {
    const { tab, token } = await logIn()
    const end = await tab.ask(`${idp.issuer}/protocol/openid-connect/logout`)
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(end.text) ?? []
    await tab.ask(`${idp.issuer}/protocol/openid-connect/logout/confirm`, {
      method: 'POST',
      body: new URLSearchParams({ xsrf, logout: 'yes' }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    await expect.poll(() => statusOf(token)).toBe(401)
  })

  it('by subject ends every login of the person from there, and of nobody else', async () => {
    const { person, token } = await logIn()
    const second = await logIn(person)
    const other = await logIn()
    const reply = await tell(await idp.logoutToken(claimsFor({ sub: person.id })))
    expect([reply.status, reply.text, reply.headers.get('cache-control')]).toEqual([200, '', 'no-store'])
    expect(await statusOf(token)).toBe(401)
    expect(await statusOf(second.token)).toBe(401)
    expect(await statusOf(other.token)).toBe(200)
  })

  it('by session ends that one', async () => {
    const { person, token } = await logIn()
    const second = await logIn(person)
    const sessions = await app.db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.principalId')
      .select('externalSessionId')
      .where('users.email', '=', person.email)
      .orderBy('sessions.createdAt')
      .execute()
    const sid = sessions[0]?.externalSessionId
    expect(sid).toBeTruthy()
    expect((await tell(await idp.logoutToken(claimsFor({ sid })))).status).toBe(200)
    expect(await statusOf(token)).toBe(401)
    expect(await statusOf(second.token)).toBe(200)
  })

  it('leaves sessions alone that did not come from there', async () => {
    const { person } = await logIn()
    const ana = await app.user()
    await tell(await idp.logoutToken(claimsFor({ sub: person.id })))
    expect(await statusOf(ana.token)).toBe(200)
    expect((await tell(await idp.logoutToken(claimsFor({ sub: 'nobody we know' })))).status).toBe(200)
  })

  it('is refused the second time', async () => {
    const { person } = await logIn()
    const logoutToken = await idp.logoutToken(claimsFor({ sub: person.id }))
    expect((await tell(logoutToken)).status).toBe(200)
    const again = await logIn(person)
    expect(await tell(logoutToken)).toMatchObject({ status: 400, body: { code: 'sso_failed' } })
    expect(await statusOf(again.token)).toBe(200)
  })

  it.each([
    ['of another issuer', { iss: 'https://elsewhere.test' }, {}],
    ['for another client', { aud: 'somebody-else' }, {}],
    ['with a nonce', { nonce: 'x' }, {}],
    ['without the event', { events: undefined }, {}],
    ['with another event', { events: { 'http://example.test/event': {} } }, {}],
    ['without an id', { jti: undefined }, {}],
    ['without a time', { iat: undefined }, {}],
    ['an hour old', { iat: Math.floor(Date.now() / 1000) - 3600 }, {}],
    ['that names nobody', { sub: undefined }, {}],
    ['that is an ID token', {}, { typ: 'JWT' }],
  ])('is refused %s', async (_name, claims, header) => {
    const { person, token } = await stillThere()
    const logoutToken = await idp.logoutToken(claimsFor({ sub: person.id, ...claims }), header)
    expect(await tell(logoutToken)).toMatchObject({ status: 400, body: { code: 'sso_failed' } })
    expect(await statusOf(token)).toBe(200)
  })

  it('is refused unsigned, broken, as JSON, or missing', async () => {
    const good = await idp.logoutToken(claimsFor({ sub: 'x' }))
    const [, body] = good.split('.')
    const none = `${Buffer.from('{"alg":"none","typ":"logout+jwt"}').toString('base64url')}.${body}.`
    for (const token of [none, `${good}x`, 'x', 'a.b.c']) expect((await tell(token)).status).toBe(400)
    expect((await app.anonymous.post('/sso/backchannel-logout', { logout_token: good })).status).toBe(415)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await app.anonymous.send('POST', '/sso/backchannel-logout', { body: 'x=1', headers })).status).toBe(422)
  })
})

/** Last: the app's clock is ahead of the provider's afterwards. */
describe('signing out while the provider is down', () => {
  it('works', async () => {
    const { tab, token } = await logIn()
    idp.faults.isDown = true
    app.clock.forward({ minutes: 11 })
    expect((await tab.ask(`${app.url}/sso/logout`)).status).toBe(302)
    expect(await statusOf(token)).toBe(401)
  })
})
