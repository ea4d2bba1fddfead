/** Signs out here, and where the login came from: the browser goes on to the provider, which sends it back to us. */
import type { Actor } from '#kernel/http/actor.ts'
import type { HttpCall } from '#kernel/http/route.ts'
import { OidcError } from '#kernel/oidc/index.ts'
import type { Accounts } from '#modules/accounts/index.ts'
import type { SsoContext } from './context.ts'
import { takeLogin } from './login-cookies.ts'

/** Answers where to go next. A provider that is away, or unknown by now, does not keep anybody signed in here. */
export const endLogin = async (
  accounts: Accounts,
  actor: Actor,
  { context, http }: { context: SsoContext | undefined; http: HttpCall },
): Promise<string> => {
  const login = context && takeLogin(context, http)
  await accounts.sessions.end(actor, http)
  http.clearTokenCookie()
  if (!context || login?.userId !== actor.id) return '/sign-in'
  const returnTo = new URL('/sign-in', context.settings.callbackUrl).href
  try {
    return (await context.oidc.endSessionUrl({ idTokenHint: login.idToken, returnTo })) ?? '/sign-in'
  } catch (problem) {
    if (problem instanceof OidcError) return '/sign-in'
    throw problem
  }
}
