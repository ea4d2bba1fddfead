/** The cookies of an OAuth login (contract, Authentication 15): all HttpOnly, with the flags of the login cookie. */
import type { Config } from '#kernel/config/config.ts'
import type { CookieFlags, HttpCall } from '#kernel/http/route.ts'
import type { OpenedSession } from '#modules/accounts/index.ts'

const sessionCookie = 'oauth_session_id'
/** Legacy: the provider's ID token itself. */
const idTokenCookie = 'oauth_id_token'

/** Browsers drop a cookie beyond 4096 bytes, and the token is but a courtesy to older clients. */
const longestIdToken = 3800

const flagsOf = (config: Config): CookieFlags => ({
  secure: config.SVC_AUTH_COOKIE_SECURE,
  sameSite: config.SVC_AUTH_COOKIE_SAME_SITE,
})

interface Login {
  session: OpenedSession
  oauthSession: string
  idToken: string
}

export const setLoginCookies = ({ config }: { config: Config }, http: HttpCall, login: Login): void => {
  const { session, oauthSession, idToken } = login
  const flags = { ...flagsOf(config), ...(session.expiresAt ? { expiresAt: session.expiresAt } : {}) }
  http.setTokenCookie(session.token, session)
  http.setCookie(sessionCookie, oauthSession, flags)
  if (idToken.length <= longestIdToken) http.setCookie(idTokenCookie, idToken, flags)
}

export const clearLoginCookies = ({ config }: { config: Config }, http: HttpCall): void => {
  for (const name of [sessionCookie, idTokenCookie])
    if (http.cookies[name] !== undefined) http.clearCookie(name, flagsOf(config))
}
