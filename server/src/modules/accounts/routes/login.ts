/** Signing in and out, with the optional second step. */
import * as endpoints from '@chancery/contract/endpoints/accounts.ts'
import { type HttpCall, type Route, route } from '#kernel/http/route.ts'
import { type AccountsContext, canonicalEmail } from '../context.ts'
import { readBrowserToken, rememberBrowser } from '../guard/known-browser.ts'
import { presentSignedIn } from '../present.ts'
import type { UserRow } from '../queries/users.ts'
import { signOut } from '../sessions/end-session.ts'
import type { OpenedSession } from '../sessions/open-session.ts'
import { resendOtp } from '../sign-in/resend-otp.ts'
import { resolveLoginMode } from '../sign-in/resolve-login-mode.ts'
import { signIn } from '../sign-in/sign-in.ts'
import { verifyOtp } from '../sign-in/verify-otp.ts'

const perAddress = [{ per: 'address', max: 1000, windowSec: 900 }] as const

export const loginRoutes = (context: AccountsContext): Route[] => [
  route({
    ...endpoints.logIn,
    access: 'public',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Sign in with address and password',
    limits: perAddress,
    handle: async ({ body, http }) => {
      const result = await signIn(context, body, http)
      return 'challenge' in result
        ? { otpRequired: true as const, ...result.challenge }
        : signedIn(context, result, http)
    },
  }),
  route({
    ...endpoints.verifyLoginCode,
    access: 'public',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Finish a sign-in with the mailed code',
    limits: perAddress,
    handle: async ({ body, http }) => signedIn(context, await verifyOtp(context, body, http), http),
  }),
  route({
    ...endpoints.resendLoginCode,
    access: 'public',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Send another code for the same sign-in',
    limits: perAddress,
    handle: ({ body }) => resendOtp(context, body.challengeId),
  }),
  route({
    ...endpoints.knowBrowser,
    access: 'public',
    summary: 'Where the link leads that is mailed after too many failed sign-ins: this browser may try again',
    limits: perAddress,
    handle: async ({ query, http }) => {
      const account = readBrowserToken(context, query.token)
      if (account) rememberBrowser(context, http, { ...account, way: 'mail' })
      return { redirectTo: account?.kind === 'admin' ? '/platform/sign-in' : '/sign-in' }
    },
  }),
  route({
    ...endpoints.resolveLoginMode,
    access: 'public',
    summary: 'How an address signs in',
    limits: perAddress,
    handle: ({ query }) => resolveLoginMode(context, canonicalEmail(query.email)),
  }),
  route({
    ...endpoints.logOut,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Sign out: the token is revoked',
    handle: async ({ actor, http }) => {
      await signOut(context, actor, http)
      for (const companion of context.sessionCompanions) companion.clearCookies(http)
      http.clearTokenCookie()
    },
  }),
]

const signedIn = (context: AccountsContext, result: { user: UserRow; session: OpenedSession }, http: HttpCall) => {
  const { id, passwordHash } = result.user
  rememberBrowser(context, http, { kind: 'user', id, passwordHash, way: 'signIn' })
  http.setTokenCookie(result.session.token, result.session)
  return presentSignedIn(result)
}
