/** The browser is back from the provider: find out who it is, and sign them in. No token is ever part of a URL. */
import { hashToken } from '#kernel/crypto/tokens.ts'
import { AppError } from '#kernel/errors.ts'
import type { HttpCall, Redirect } from '#kernel/http/route.ts'
import type { BegunLogin } from '#kernel/oidc/index.ts'
import { externalLoginOf } from '#modules/accounts/index.ts'
import type { OauthContext } from './context.ts'
import { findPerson } from './find-person.ts'
import { setLoginCookies } from './login-cookies.ts'
import type { Provider } from './providers.ts'
import { claimStateUnscoped } from './queries.ts'
import { storeTokens } from './store-tokens.ts'

interface Request {
  provider: Provider
  /** As the browser brought it back; none of it can be trusted yet. */
  query: Record<string, unknown>
  http: HttpCall
}

export const finishLogin = async (context: OauthContext, { provider, query, http }: Request): Promise<Redirect> => {
  const parameters = asParameters(query)
  const state = parameters.get('state') ?? ''
  const begun = context.begunLogins.take(http, { provider: provider.id, state })
  if (!begun) throw new AppError('oauth_failed', { detail: 'no begun login of this browser' })
  await requireFirst(context, begun)
  const url = new URL(provider.redirectUri)
  url.search = parameters.toString()
  const client = context.clientOf(provider)
  const login = await client.exchange({ ...begun, url })
  const { claims, accessToken } = login
  const userInfo = () => client.userInfo(accessToken, claims.sub)
  const user = await findPerson(context, { provider, claims, userInfo, from: http })
  const external = externalLoginOf(claims)
  const { session } = await context.accounts.logins.complete(user, { from: http, method: 'provider', external })
  const kept = { userId: user.id, sessionId: session.id, provider: provider.id, login }
  const oauthSession = await context.db.transaction().execute((tx) => storeTokens(context, tx, kept))
  setLoginCookies(context, http, { session, oauthSession, idToken: login.idToken })
  return { redirectTo: begun.returnTo }
}

/** A cookie that somebody kept finishes no second login. */
const requireFirst = async ({ db, clock }: OauthContext, { state, until }: BegunLogin): Promise<void> => {
  const claim = { stateHash: hashToken(state), expiresAt: new Date(until), now: clock.now() }
  if (!(await claimStateUnscoped(db, claim)))
    throw new AppError('oauth_failed', { detail: 'this login was finished before' })
}

/** A parameter that comes twice could be read in two ways. */
const asParameters = (query: Record<string, unknown>): URLSearchParams => {
  const entries = Object.entries(query).map(([name, value]): [string, string] => {
    if (typeof value !== 'string') throw new AppError('oauth_failed', { detail: `${name} came twice` })
    return [name, value]
  })
  return new URLSearchParams(entries)
}
