/** Sends the browser to the provider, and has it remember what it must bring back. */
import { randomToken } from '#kernel/crypto/tokens.ts'
import { returnPath } from '#kernel/http/pages/return-path.ts'
import type { HttpCall, Redirect } from '#kernel/http/route.ts'
import type { OauthContext } from './context.ts'
import type { Provider } from './providers.ts'

interface Request {
  provider: Provider
  returnTo: string | undefined
  http: HttpCall
}

export const startLogin = async (context: OauthContext, { provider, returnTo, http }: Request): Promise<Redirect> => {
  const attempt = { state: randomToken(), nonce: randomToken(), codeVerifier: randomToken(48) }
  const { redirectUri, scope, authorizeParams } = provider
  const redirectTo = await context
    .clientOf(provider)
    .authorizationUrl({ ...attempt, redirectUri, scope, extra: { ...authorizeParams } })
  context.begunLogins.keep(http, { ...attempt, provider: provider.id, returnTo: returnPath(returnTo) })
  return { redirectTo }
}
