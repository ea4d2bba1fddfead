/**
 * A browser comes back from the identity provider. Each step makes the next one safe: this browser began the login, it
 * was not finished before, the provider has confirmed the person, and the person has an account that may sign in.
 */
import { hashToken } from '#kernel/crypto/tokens.ts'
import { AppError } from '#kernel/errors.ts'
import type { HttpCall } from '#kernel/http/route.ts'
import { externalLoginOf } from '#modules/accounts/index.ts'
import { providerName, type SsoContext } from './context.ts'
import { findAccount } from './find-account.ts'
import { keepLogin } from './login-cookies.ts'
import { markUsedUnscoped } from './queries.ts'

/** As the provider sent it; every value may be anything. */
export type CallbackQuery = Record<string, string>

/** Answers the page to go to. */
export const finishLogin = async (context: SsoContext, http: HttpCall, query: CallbackQuery): Promise<string> => {
  const { accounts, begunLogins, oidc, settings, db } = context
  const begun = begunLogins.take(http, { provider: providerName, state: query.state ?? '' })
  if (!begun) throw new AppError('sso_failed', { detail: 'no begun login of this browser' })
  const expiresAt = new Date(begun.until)
  const isFirst = await markUsedUnscoped(db, { fingerprint: hashToken(`login ${begun.state}`), expiresAt })
  if (!isFirst) throw new AppError('sso_failed', { detail: 'this login was finished before' })

  const url = new URL(settings.callbackUrl)
  url.search = new URLSearchParams(query).toString()
  const { claims, idToken } = await oidc.exchange({ ...begun, url, allowedParties: settings.allowedClientIds })

  const user = await findAccount(context, claims, http)
  const external = externalLoginOf(claims)
  const { session } = await accounts.logins.complete(user, { from: http, method: 'provider', external })
  http.setTokenCookie(session.token, session)
  keepLogin(context, http, { login: { userId: user.id, idToken }, expiresAt: session.expiresAt })
  return begun.returnTo
}
