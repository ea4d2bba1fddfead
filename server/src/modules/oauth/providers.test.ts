/** Which logins are offered: by the environment, by saved settings, and for the two well-known providers. */
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { oauthEnv, startOauthApp, startProvider } from '#test/harness/oauth.ts'
import { appOrigin } from '#test/peers/idp-settings.ts'

const tenant = '0f1e2d3c-4b5a-4968-8776-655443322110'
const [idp, directory] = [await startProvider(), await startProvider(`${tenant}/v2.0`)]
const oauthEndpoints = { googleIssuer: idp.issuer, microsoftBase: `${directory.origin}/realms` }
const families = {
  GOOGLE_CLIENT_ID: idp.clientId,
  GOOGLE_CLIENT_SECRET: idp.clientSecret,
  GOOGLE_OAUTH_SCOPE: 'openid email',
  MICROSOFT_CLIENT_ID: directory.clientId,
  MICROSOFT_CLIENT_SECRET: directory.clientSecret,
  MICROSOFT_CLIENT_TENANT_ID: tenant.toUpperCase(),
  MICROSOFT_REDIRECT_URI: `${appOrigin}/elsewhere/callback`,
}
type Asked = Pick<Awaited<ReturnType<typeof testApp>>, 'anonymous'>
const offered = async ({ anonymous }: Asked) =>
  (await anonymous.get('/api/auth/oauth/providers')).body.providers.map(({ id }: { id: string }) => id)
const authorizeParams = async ({ anonymous }: Asked, id: string) =>
  Object.fromEntries(new URL((await anonymous.get(`/oauth/${id}/login`)).headers.get('location') ?? '').searchParams)

/** Saved settings count for the first, and for nothing on the other, which shares its database. */
const gateOpen = { SVC_URL: appOrigin, ENABLE_OAUTH_PERSISTENT_CONFIG: 'true' }
const configurable = await testApp({ env: gateOpen })
const bare = await testApp({ databaseUrl: configurable.databaseUrl })

describe('a provider that is not configured', () => {
  it('is offered to nobody, and 404 by every address', async () => {
    expect(await offered(bare)).toEqual([])
    for (const id of ['oidc', 'google', 'microsoft', 'github', '__proto__', 'constructor'])
      for (const end of ['login', 'callback?state=x&code=y'])
        expect(await bare.anonymous.get(`/oauth/${id}/${end}`)).toMatchObject({ status: 404 })
  })
})

describe('Google and Microsoft', async () => {
  const app = await startOauthApp(idp, { env: families, oauthEndpoints })

  it('are offered beside OpenID Connect, each with its own scope and redirect address', async () => {
    expect(await offered(app)).toEqual(['oidc', 'google', 'microsoft'])
    expect(await authorizeParams(app, 'google')).toMatchObject({
      scope: 'openid email',
      redirect_uri: `${appOrigin}/oauth/google/callback`,
    })
    expect(await authorizeParams(app, 'microsoft')).toMatchObject({
      scope: 'openid email profile',
      redirect_uri: `${appOrigin}/elsewhere/callback`,
    })
  })

  it('sign people in; a login begun at one is not finished at the other', async () => {
    const { email } = idp.add({ email: 'gina@example.test' })
    const browser = app.newBrowser()
    const back = await browser.signInUntilCallback('/oauth/google/login', email)
    const crossed = await browser.ask(back.replace('/google/', '/oidc/'))
    expect(crossed.headers.get('location')).toBe('/sign-in?problem=oauth_failed')
    const again = await browser.signInUntilCallback('/oauth/google/login', email)
    expect((await browser.ask(again)).headers.get('location')).toBe('/')
    expect(await browser.me()).toMatchObject({ email })
  })

  it('believe a directory about newcomers without a verified claim, but link nobody by it', async () => {
    const env = { ...families, MICROSOFT_REDIRECT_URI: '' }
    const elsewhere = await startOauthApp(idp, { env, oauthEndpoints, databaseUrl: app.databaseUrl })
    directory.faults.idToken = ({ email_verified: _said, ...claims }) => claims
    const ana = await app.user({ isProven: true })
    const [newcomer, claimant] = [directory.add({ email: 'new@example.test' }), directory.add({ email: ana.email })]
    const [first, second] = [elsewhere.newBrowser(), elsewhere.newBrowser()]
    await first.ask(await first.signInUntilCallback('/oauth/microsoft/login', newcomer.id))
    expect(await first.me()).toMatchObject({ email: 'new@example.test' })
    const refused = await second.ask(await second.signInUntilCallback('/oauth/microsoft/login', claimant.id))
    expect(refused.headers.get('location')).toBe('/sign-in?problem=oauth_address_not_verified')
  })
})

describe('saved OAuth settings', () => {
  const saved = {
    'oauth.oidc.client_id': idp.clientId,
    'oauth.oidc.client_secret': idp.clientSecret,
    'oauth.oidc.provider_url': `${idp.issuer}/.well-known/openid-configuration`,
    'oauth.enable_signup': true,
  }
  const app = configurable

  it('turn a login on for every node while all run, and off again', async () => {
    const other = await testApp({ env: gateOpen, databaseUrl: app.databaseUrl })
    const owner = await app.platformOwner()
    expect(await owner.post('/api/v1/configs', saved)).toMatchObject({ status: 200 })
    expect(await offered(app)).toEqual(['oidc'])
    await expect.poll(() => offered(other), { timeout: 20_000 }).toEqual(['oidc'])
    expect((await owner.get('/api/v1/configs')).text).not.toContain(idp.clientSecret)

    await owner.post('/api/v1/configs', {
      'oauth.oidc.scope': 'openid email',
      'oauth.oidc.authorize_params': { ui: 'dark' },
    })
    expect(await authorizeParams(app, 'oidc')).toMatchObject({ scope: 'openid email', ui: 'dark' })
    await owner.post('/api/v1/configs', { 'oauth.oidc.client_id': null })
    expect(await offered(app)).toEqual([])
    await expect.poll(() => offered(other), { timeout: 20_000 }).toEqual([])
    await other.stop()
  })

  it('sign people in', async () => {
    const app = await startOauthApp(idp, {
      env: { ...gateOpen, OAUTH_CLIENT_SECRET: 'wrong', ENABLE_OAUTH_SIGNUP: '' },
    })
    const owner = await app.platformOwner()
    await owner.post('/api/v1/configs', saved)
    const { email } = idp.add({ email: 'saved@example.test' })
    const browser = app.newBrowser()
    await browser.signIn('/oauth/oidc/login', email)
    expect(await browser.me()).toMatchObject({ email })
    await app.stop()
  })

  it('count for nothing while ENABLE_OAUTH_PERSISTENT_CONFIG is off', async () => {
    const owner = await app.platformOwner()
    await owner.post('/api/v1/configs', { ...saved, 'oauth.oidc.scope': 'openid groups' })
    const held = await testApp({ env: oauthEnv(idp), databaseUrl: app.databaseUrl })
    expect((await authorizeParams(held, 'oidc')).scope).toBe('openid email profile')
    await held.stop()
    expect(await offered(bare)).toEqual([])
  })

  it('are judged one by one', async () => {
    const owner = await app.platformOwner()
    for (const [key, value] of [
      ['oauth.oidc.provider_url', 'not an address'],
      ['oauth.oidc.provider_url', 'javascript:alert(1)'],
      ['oauth.enable_signup', 'yes'],
      ['oauth.oidc.authorize_params', { state: 'mine' }],
      ['oauth.oidc.authorize_params', 'prompt=login'],
      ['oauth.microsoft.tenant_id', 'common'],
    ] as const) {
      const reply = await owner.post('/api/v1/configs', { [key]: value })
      expect(reply, key).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
      expect(reply.body.detail[0].loc.slice(0, 2)).toEqual(['body', key])
    }
  })
})
