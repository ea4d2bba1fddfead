/** What the browser of an admin gets who has signed in. */
import type { AdminSignedIn as SignedIn } from '@chancery/contract/platform/platform.ts'
import type { z } from 'zod'
import type { HttpCall } from '#kernel/http/route.ts'
import type { AdminContext } from '../context.ts'
import { presentAdmin } from '../present.ts'
import type { AdminSignedIn } from '../sign-in.ts'

export const answerAdmin = (
  { accounts }: AdminContext,
  http: HttpCall,
  { admin, session }: AdminSignedIn,
): z.infer<typeof SignedIn> => {
  accounts.logins.rememberBrowser(http, { ...admin, kind: 'admin' })
  http.setTokenCookie(session.token, session)
  const expiresAt = session.expiresAt?.toISOString() ?? null
  return { token: session.token, tokenType: 'Bearer', expiresAt, user: presentAdmin(admin) }
}
