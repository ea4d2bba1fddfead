/** The addresses a browser, or the provider behind it, comes to. They answer redirects; nothing secret is in an address. */
import * as endpoints from '@chancery/contract/endpoints/logins.ts'
import { AppError } from '#kernel/errors.ts'
import { type HttpCall, type Route, route } from '#kernel/http/route.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { loginProblemCode, OidcError, orBackToSignIn } from '#kernel/oidc/index.ts'
import type { Accounts } from '#modules/accounts/index.ts'
import { endExternalSessions } from '../back-channel-logout.ts'
import type { SsoConfig } from '../config.ts'
import type { SsoContext } from '../context.ts'
import { endLogin } from '../end-login.ts'
import { finishLogin } from '../finish-login.ts'
import { startLogin } from '../start-login.ts'

const perAddress = [{ per: 'address', max: 600, windowSec: 900 }] as const

/** A link on another site must not sign anybody out. Browsers say where a navigation came from; other clients do not. */
const isForeignLink = (http: HttpCall): boolean =>
  ['cross-site', 'same-site'].includes(http.header('sec-fetch-site') ?? 'none')

interface Needs {
  kernel: Kernel<SsoConfig>
  accounts: Accounts
}

/** Without a context, company login is not configured: then every address says so. */
export const loginRoutes = ({ kernel: { log }, accounts }: Needs, context: SsoContext | undefined): Route[] => {
  const get = (): SsoContext => {
    if (!context) throw new AppError('sso_not_configured')
    return context
  }
  return [
    route({
      ...endpoints.getCompanyLogin,
      access: 'public',
      summary: 'Whether company login is available',
      handle: async () => {
        if (!context) return { enabled: false }
        return { enabled: true, provider: new URL(context.settings.issuer).hostname, loginUrl: '/sso/idp' }
      },
    }),
    route({
      ...endpoints.startCompanyLogin,
      access: 'public',
      summary: 'Start a company login: 302 to the identity provider',
      limits: perAddress,
      handle: ({ query, http }) => orBackToSignIn(log, async () => startLogin(get(), http, query.return_to)),
    }),
    route({
      ...endpoints.finishCompanyLogin,
      access: 'public',
      summary: 'Finish a company login: sets the cookie, 302 to where it was started',
      limits: perAddress,
      handle: ({ query, http }) => orBackToSignIn(log, async () => finishLogin(get(), http, query)),
    }),
    route({
      ...endpoints.leaveCompanyLogin,
      access: 'user',
      summary: 'Sign out here and at the identity provider: 302 to it',
      handle: ({ actor, http }) =>
        isForeignLink(http)
          ? Promise.resolve({ redirectTo: '/' })
          : orBackToSignIn(log, async () => endLogin(accounts, actor, { context, http })),
    }),
    route({
      ...endpoints.endCompanySessions,
      access: 'public',
      writes: { reachesOthers: false, whenReadOnly: 'allowed' },
      summary: 'The identity provider says that a login has ended there',
      limits: perAddress,
      accepts: 'form',
      handle: async ({ body }) => {
        try {
          await endExternalSessions(get(), body.logout_token)
        } catch (problem) {
          if (problem instanceof OidcError) throw new AppError(loginProblemCode(problem), { cause: problem })
          throw problem
        }
      },
    }),
  ]
}
