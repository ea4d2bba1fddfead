/** An app with companies that each sign in at a real provider of their own. */
import { type Idp, type IdpPerson, startIdp } from '../peers/idp.ts'
import { createBrowser } from '../peers/idp-browser.ts'
import { appOrigin } from '../peers/idp-settings.ts'
import { testApp } from './app.ts'
import { atEnd } from './at-end.ts'
import { bearer } from './client.ts'
import { tokenOf } from './sso.ts'

export const providersPath = '/api/org/identity-providers'
/** Back from the provider: no address of the login itself. */
const back = /chancery\.test\/(?!sso\/)/

const startOwnIdp = async (realm: string): Promise<Idp> => {
  const idp = await startIdp({ realm, allowsRedirect: /^http:\/\/chancery\.test\/sso\/oidc\/[^/]+\/callback$/ })
  atEnd(() => idp.close())
  return idp
}

export const ownProvidersScene = async () => {
  const idps = [await startOwnIdp('one'), await startOwnIdp('two')] as const
  const OUTBOUND_ALLOWED_HOSTS = idps.map(({ origin }) => new URL(origin).host).join(',')
  const app = await testApp({ env: { SVC_URL: appOrigin, OUTBOUND_ALLOWED_HOSTS } })
  let counter = 0

  /** A company with a verified domain, and a provider there unless told otherwise. */
  const company = async (idp: Idp, provider: Record<string, unknown> = {}) => {
    const domain = `own-${app.unknownId()}.test`
    const admin = await app.user({ org: domain, email: `boss@${domain}`, isProven: true })
    const id = admin.organizationId ?? ''
    await (await app.platformOwner()).patch(`/api/admin/organizations/${id}`, { domains: [domain] })
    const body = {
      kind: 'oidc',
      name: 'Own provider',
      domains: [domain],
      oidc: { issuer: idp.issuer, clientId: idp.clientId, clientSecret: idp.clientSecret },
      ...provider,
    }
    const created = await admin.post(providersPath, body)
    if (created.status !== 201) throw new Error(`adding the provider failed: ${created.text}`)
    const colleague = (person: Partial<IdpPerson> = {}): IdpPerson => {
      counter += 1
      return idp.add({ email: `person${counter}@${domain}`, ...person })
    }
    return { admin, id, domain, body, provider: created.body, colleague }
  }

  const browser = () => createBrowser(app.url)

  /** A whole sign-in by a new browser: where it ended, and as whom. */
  const signIn = async (loginUrl: string, login: string) => {
    const tab = browser()
    const page = await tab.signIn(loginUrl, login, { stopAt: back })
    const token = tokenOf(tab, app.url)
    const me = token === undefined ? undefined : (await app.newcomer().get('/api/auth/me', bearer(token))).body
    const { pathname, search } = new URL(page.url)
    return { page: pathname + search, me, token }
  }

  return { app, idps, company, browser, signIn, back }
}
