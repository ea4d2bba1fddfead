/** What a browser gets when its sign-in is finished: the token, as a cookie too, and that it is known from now on. */
import type { SignedIn } from '@chancery/contract/accounts/accounts.ts'
import type { HttpCall } from '#kernel/http/route.ts'
import type { AccountsContext } from '../context.ts'
import { rememberBrowser } from '../guard/known-browser.ts'
import { presentSignedIn } from '../present.ts'
import type { UserRow } from '../queries/users.ts'
import type { OpenedSession } from '../sessions/open-session.ts'

export const answerSignedIn = (
  context: AccountsContext,
  http: HttpCall,
  result: { user: UserRow; session: OpenedSession },
): SignedIn => {
  const { id, passwordHash } = result.user
  rememberBrowser(context, http, { kind: 'user', id, passwordHash, way: 'signIn' })
  http.setTokenCookie(result.session.token, result.session)
  return presentSignedIn(result)
}
