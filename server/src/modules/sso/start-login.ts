/** Sends a browser to the identity provider, with secrets that only this browser can bring back. */
import { randomToken } from '#kernel/crypto/tokens.ts'
import { returnPath } from '#kernel/http/pages/return-path.ts'
import type { HttpCall } from '#kernel/http/route.ts'
import { providerName, type SsoContext } from './context.ts'

/** Answers the provider's address. */
export const startLogin = async (
  context: SsoContext,
  http: HttpCall,
  returnTo: string | undefined,
): Promise<string> => {
  const { begunLogins, oidc, settings } = context
  const attempt = { state: randomToken(), nonce: randomToken(), codeVerifier: randomToken() }
  const request = { redirectUri: settings.callbackUrl, scope: 'openid email profile' }
  const address = await oidc.authorizationUrl({ ...attempt, ...request })
  begunLogins.keep(http, { ...attempt, provider: providerName, returnTo: returnPath(returnTo) })
  return address
}
