/** An app whose people may sign in at a real OpenID provider. */
import { startIdp } from '../peers/idp.ts'
import { createBrowser } from '../peers/idp-browser.ts'
import { appOrigin } from '../peers/idp-settings.ts'
import { type TestAppOptions, testApp } from './app.ts'
import { atEnd } from './at-end.ts'

export const startProvider = async (realm = 'acme') => {
  const redirectUris = ['oidc', 'google', 'microsoft'].map((id) => `${appOrigin}/oauth/${id}/callback`)
  const idp = await startIdp({ realm, redirectUris: [...redirectUris, `${appOrigin}/elsewhere/callback`] })
  atEnd(() => idp.close())
  return idp
}

type Idp = Awaited<ReturnType<typeof startProvider>>

export const oauthEnv = (idp: Idp): Record<string, string> => ({
  SVC_URL: appOrigin,
  OAUTH_CLIENT_ID: idp.clientId,
  OAUTH_CLIENT_SECRET: idp.clientSecret,
  OPENID_PROVIDER_URL: `${idp.issuer}/.well-known/openid-configuration`,
  ENABLE_OAUTH_SIGNUP: 'true',
})

export const startOauthApp = async (idp: Idp, { env = {}, ...options }: TestAppOptions = {}) => {
  const app = await testApp({ ...options, env: { ...oauthEnv(idp), ...env } })
  const newBrowser = () => {
    const browser = createBrowser(app.url)
    return {
      ...browser,
      /** The cookies that the app has set in this browser. */
      jar: () => browser.cookies.get(new URL(app.url).host) ?? new Map<string, string>(),
      me: async () => JSON.parse((await browser.ask(`${app.url}/api/auth/me`)).text),
      /** Begins a login and signs in at the provider, but stops before coming back: answers that address. */
      signInUntilCallback: async (path: string, login: string) =>
        (await browser.signIn(path, login, { stopAt: /\/callback\?/ })).url,
    }
  }
  return { ...app, newBrowser }
}

export type OauthBrowser = ReturnType<Awaited<ReturnType<typeof startOauthApp>>['newBrowser']>
