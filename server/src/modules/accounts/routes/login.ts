/** Signing in and out, with the optional second step. */
import type { SecondStep } from '@chancery/contract/accounts/factors.ts'
import * as endpoints from '@chancery/contract/endpoints/accounts.ts'
import { AppError } from '#kernel/errors.ts'
import { type HttpCall, type Route, route } from '#kernel/http/route.ts'
import { type AccountsContext, canonicalEmail } from '../context.ts'
import { readBrowserToken, rememberBrowser } from '../guard/known-browser.ts'
import { findUserByIdUnscoped, type UserRow } from '../queries/users.ts'
import { signOut } from '../sessions/end-session.ts'
import { answerChallenge, type FindChallengeOwner } from '../sign-in/answer-challenge.ts'
import { answerSignedIn } from '../sign-in/answer-signed-in.ts'
import { resendOtp } from '../sign-in/resend-otp.ts'
import { resolveLoginMode } from '../sign-in/resolve-login-mode.ts'
import { completeSignIn, ownerOf, signIn } from '../sign-in/sign-in.ts'

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
      return 'challenge' in result ? result.challenge : answerSignedIn(context, http, result)
    },
  }),
  route({
    ...endpoints.verifyLoginCode,
    access: 'public',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Finish a sign-in with a code, emailed or of an app, or with a passkey',
    limits: perAddress,
    handle: async ({ body, http }) => {
      const { ownerId, method } = await answerChallenge(context, body, { findOwner: findPerson, from: http })
      const user = await findUserByIdUnscoped(context.db, ownerId)
      if (user?.status !== 'ACTIVE') throw new AppError('invalid_otp')
      const completed = await completeSignIn(context, user, { from: http, method })
      if (body.rememberBrowser) await rememberSecondStep(context, { user, method, http })
      return answerSignedIn(context, http, completed)
    },
  }),
  route({
    ...endpoints.resendLoginCode,
    access: 'public',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Send another code for the same sign-in',
    limits: perAddress,
    handle: ({ body }) => resendOtp(context, body.challengeId, findPerson),
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
    whileLackingFactor: true,
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Sign out: the token is revoked',
    handle: async ({ actor, http }) => {
      await signOut(context, actor, http)
      for (const companion of context.sessionCompanions) companion.clearCookies(http)
      http.clearTokenCookie()
    },
  }),
]

/** A platform admin's challenge is none at this door. */
const findPerson: FindChallengeOwner = async (db, { userId }) => {
  const user = userId === null ? undefined : await findUserByIdUnscoped(db, userId)
  return user?.status === 'ACTIVE' ? ownerOf(user) : undefined
}

interface Remembered {
  user: UserRow
  method: SecondStep
  http: HttpCall
}

const rememberSecondStep = async (context: AccountsContext, { user, method, http }: Remembered): Promise<void> => {
  const { remembersBrowsers } = await context.findLoginPolicy(user)
  if (remembersBrowsers) await context.secondFactors?.remember({ owner: ownerOf(user), method }, http)
}
