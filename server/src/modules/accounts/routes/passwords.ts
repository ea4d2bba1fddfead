/** Forgotten, reset and changed passwords. */
import * as endpoints from '@chancery/contract/endpoints/accounts.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { JobDefinition } from '#kernel/jobs/jobs.ts'
import type { AccountsContext } from '../context.ts'
import { rememberBrowser } from '../guard/known-browser.ts'
import { changePassword } from '../passwords/change-password.ts'
import { resetPassword } from '../passwords/reset-password.ts'
import { requireProof } from '../sessions/require-proof.ts'

export const passwordRoutes = (context: AccountsContext, resetMail: JobDefinition<{ email: string }>): Route[] => [
  route({
    ...endpoints.forgetPassword,
    access: 'public',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Mail a reset link, if the address has an account',
    limits: [{ per: 'address', max: 100, windowSec: 3600 }],
    handle: async ({ body }) => {
      await context.jobs.enqueue(context.db, resetMail, { email: body.email })
      return { accepted: true as const }
    },
  }),
  route({
    ...endpoints.resetPassword,
    access: 'public',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Choose a new password with a mailed token',
    limits: [{ per: 'address', max: 100, windowSec: 3600 }],
    handle: async ({ body, http }) => {
      await resetPassword(context, body, http)
      return { changed: true as const }
    },
  }),
  route({
    ...endpoints.changePassword,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Change the own password; all other sessions end',
    limits: [{ per: 'actor', max: 30, windowSec: 3600 }],
    handle: async ({ actor, body, http }) => {
      await requireProof(context, actor)
      const account = await changePassword(context, actor, body, http)
      rememberBrowser(context, http, { ...account, way: 'signIn' })
    },
  }),
]
