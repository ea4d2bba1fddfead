/** Forgotten, reset and changed passwords. */
import {
  Accepted,
  ChangePasswordBody,
  ForgotPasswordBody,
  PasswordChanged,
  ResetPasswordBody,
} from '@chancery/contract/accounts.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { JobDefinition } from '#kernel/jobs/jobs.ts'
import type { AccountsContext } from '../context.ts'
import { rememberBrowser } from '../guard/known-browser.ts'
import { changePassword } from '../passwords/change-password.ts'
import { resetPassword } from '../passwords/reset-password.ts'

export const passwordRoutes = (context: AccountsContext, resetMail: JobDefinition<{ email: string }>): Route[] => [
  route({
    method: 'POST',
    path: '/api/auth/forgot-password',
    access: 'public',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Mail a reset link, if the address has an account',
    limits: [{ per: 'address', max: 100, windowSec: 3600 }],
    body: ForgotPasswordBody,
    reply: Accepted,
    status: 202,
    handle: async ({ body }) => {
      await context.jobs.enqueue(context.db, resetMail, { email: body.email })
      return { accepted: true as const }
    },
  }),
  route({
    method: 'POST',
    path: '/api/auth/reset-password',
    access: 'public',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Choose a new password with a mailed token',
    limits: [{ per: 'address', max: 100, windowSec: 3600 }],
    body: ResetPasswordBody,
    reply: PasswordChanged,
    handle: async ({ body, http }) => {
      await resetPassword(context, body, http)
      return { changed: true as const }
    },
  }),
  route({
    method: 'POST',
    path: '/api/auth/change-password',
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Change the own password; all other sessions end',
    limits: [{ per: 'actor', max: 30, windowSec: 3600 }],
    body: ChangePasswordBody,
    handle: async ({ actor, body, http }) => {
      const account = await changePassword(context, actor, body, http)
      rememberBrowser(context, http, { ...account, way: 'signIn' })
    },
  }),
]
