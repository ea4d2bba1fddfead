/** An app that knows a real identity provider, and companies whose people sign in there. */
import { type IdpPerson, startIdp } from '../peers/idp.ts'
import { createBrowser } from '../peers/idp-browser.ts'
import { appOrigin } from '../peers/idp-settings.ts'
import { type TestAppOptions, testApp } from './app.ts'
import { atEnd } from './at-end.ts'
import type { Person } from './people.ts'

interface SceneOptions extends Pick<TestAppOptions, 'config' | 'env'> {
  /** Without it, the provider's admin interface is not used. */
  hasServiceAccount?: boolean
  /** The provider does not answer while the app starts. */
  isDownAtStart?: boolean
}

export interface Company {
  admin: Person
  id: string
  domain: string
  /** Somebody of the company's mail domain whom the provider knows. */
  colleague(person?: Partial<IdpPerson>): IdpPerson
}

let counter = 0

export const ssoScene = async ({
  config = {},
  env = {},
  hasServiceAccount = false,
  isDownAtStart = false,
}: SceneOptions = {}) => {
  const idp = await startIdp()
  atEnd(() => idp.close())
  const settings = {
    IDP_ISSUER_URI: idp.issuer,
    IDP_CLIENT_ID: idp.clientId,
    IDP_CLIENT_SECRET: idp.clientSecret,
    IDP_SSO_CALLBACK_URL: `${appOrigin}/sso/callback`,
    IDP_SSO_COOKIE_SECURE: 'false',
    ...(hasServiceAccount && {
      IDP_ADMIN_CLIENT_ID: idp.adminClientId,
      IDP_ADMIN_CLIENT_SECRET: idp.adminClientSecret,
    }),
    ...env,
  }
  idp.faults.isDown = isDownAtStart
  const app = await testApp({ config, env: settings })
  idp.sendLogoutsTo(`${app.url}/sso/backchannel-logout`)

  /** A company that has switched to company login and owns a mail domain. */
  const company = async ({ authProvider = 'SSO' }: { authProvider?: 'SSO' | 'NATIVE' } = {}): Promise<Company> => {
    counter += 1
    const domain = `company${counter}-${app.unknownId().slice(-8)}.test`
    const admin = await app.user({ org: domain, email: `admin@${domain}` })
    const id = admin.organizationId ?? ''
    const owner = await app.platformOwner()
    const named = await owner.patch(`/api/admin/organizations/${id}`, { domains: [domain] })
    if (named.status !== 200) throw new Error(`naming the domain failed: ${named.text}`)
    const switched = await admin.patch('/api/org/settings', { authProvider })
    if (switched.status !== 200) throw new Error(`switching failed: ${switched.text}`)
    const colleague = (person: Partial<IdpPerson> = {}) => {
      counter += 1
      return idp.add({ email: `person${counter}@${domain}`, ...person })
    }
    return { admin, id, domain, colleague }
  }

  return { app, idp, settings, company, browser: () => createBrowser(app.url) }
}

/** The login token that a browser holds for the app, if any. */
export const tokenOf = (browser: ReturnType<typeof createBrowser>, appUrl: string): string | undefined =>
  browser.cookies.get(new URL(appUrl).host)?.get('token')
