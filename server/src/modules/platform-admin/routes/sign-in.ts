/** How platform admins sign in: password, second step, passkey, and the way back after a forgotten password. */
import * as factorEndpoints from '@chancery/contract/endpoints/factors/admins.ts'
import * as endpoints from '@chancery/contract/endpoints/platform.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { JobDefinition } from '#kernel/jobs/jobs.ts'
import type { AdminContext } from '../context.ts'
import { resetAdminPassword } from '../passwords.ts'
import { resetAdminFactors } from '../reset-factors.ts'
import { adminOwner, findChallengedAdmin, finishAdminSignIn, signInAdmin, signInAdminByPasskey } from '../sign-in.ts'
import { answerAdmin } from './answer-admin.ts'

const perAddress = [{ per: 'address', max: 100, windowSec: 900 }] as const
const own = { reachesOthers: false, whenReadOnly: 'allowed' } as const

export const adminSignInRoutes = (context: AdminContext, resetMail: JobDefinition<{ email: string }>): Route[] => [
  route({
    ...endpoints.logIn,
    access: 'public',
    writes: own,
    summary: 'Sign in as a platform admin',
    limits: perAddress,
    handle: async ({ body, http }) => {
      const result = await signInAdmin(context, body, http)
      return 'challenge' in result ? result.challenge : answerAdmin(context, http, result)
    },
  }),
  route({
    ...factorEndpoints.verifyLoginCode,
    access: 'public',
    writes: own,
    summary: 'Finish a sign-in with a code of an app or with a passkey',
    limits: perAddress,
    handle: async ({ body, http }) => {
      const signedIn = await finishAdminSignIn(context, body, http)
      if (body.rememberBrowser && context.policy().remembersBrowsers)
        await context.accounts.logins.rememberSecondStep(
          { owner: adminOwner(signedIn.admin), method: signedIn.method },
          http,
        )
      return answerAdmin(context, http, signedIn)
    },
  }),
  route({
    ...factorEndpoints.resendLoginCode,
    access: 'public',
    writes: own,
    summary: 'Send another code for the same sign-in',
    limits: perAddress,
    handle: ({ body }) => context.accounts.logins.resendCode(body.challengeId, findChallengedAdmin),
  }),
  route({
    ...factorEndpoints.signInByPasskey,
    access: 'public',
    writes: own,
    summary: 'Sign in as a platform admin with a passkey',
    limits: perAddress,
    maxBodyBytes: 65_536,
    handle: async ({ body, http }) =>
      answerAdmin(context, http, await signInAdminByPasskey(context, { ...body, from: http })),
  }),
  route({
    ...factorEndpoints.forgetPassword,
    access: 'public',
    writes: own,
    summary: 'Mail a reset link, if the address is a platform admin’s',
    limits: perAddress,
    handle: async ({ body }) => {
      await context.jobs.enqueue(context.db, resetMail, { email: body.email })
      return { accepted: true as const }
    },
  }),
  route({
    ...factorEndpoints.resetPassword,
    access: 'public',
    writes: own,
    summary: 'Choose a new password with a mailed token',
    limits: perAddress,
    handle: async ({ body, http }) => {
      await resetAdminPassword(context, body, http)
      return { changed: true as const }
    },
  }),
  route({
    ...factorEndpoints.resetFactors,
    access: 'platformOwner',
    needsFreshProof: true,
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: "Remove another platform admin's second factors",
    handle: ({ actor, params, http }) => resetAdminFactors(context, actor, { adminId: params.id, from: http }),
  }),
]
