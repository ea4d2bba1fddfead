/** Back-channel logout: the provider tells us, by a signed token, whose login has ended there. */
import { type JWTPayload, jwtVerify } from 'jose'
import type { Clock } from '../clock.ts'
import { type Discovered, mostSkewSec } from './discovery.ts'
import { asOidcError, OidcError } from './oidc-error.ts'
import { algorithms } from './verify-token.ts'

export interface LogoutNotice {
  issuer: string
  /** For refusing the same token twice. */
  id: string
  subject: string | undefined
  sessionId: string | undefined
}

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

/** A logout token is used at once; this bounds how long a stolen one is worth anything. */
export const logoutTokenLifeSec = 300

export const verifyLogoutToken = async (
  { clock }: { clock: Clock },
  { keys, issuer }: Discovered,
  { token, clientId }: { token: string; clientId: string },
): Promise<LogoutNotice> => {
  try {
    const { payload } = await jwtVerify(token, keys, {
      algorithms,
      issuer,
      audience: clientId,
      typ: 'logout+jwt',
      requiredClaims: ['iat', 'jti'],
      clockTolerance: mostSkewSec,
      maxTokenAge: logoutTokenLifeSec,
      currentDate: clock.now(),
    })
    return readNotice(payload, issuer)
  } catch (problem) {
    throw asOidcError(problem)
  }
}

const readNotice = (claims: JWTPayload, issuer: string): LogoutNotice => {
  const events = claims.events
  const isLogout =
    typeof events === 'object' &&
    events !== null &&
    typeof (events as Record<string, unknown>)[logoutEvent] === 'object'
  if (!isLogout) throw new OidcError('refused', 'the token announces no logout')
  if (claims.nonce !== undefined) throw new OidcError('refused', 'a logout token holds no nonce')
  const subject = typeof claims.sub === 'string' ? claims.sub : undefined
  const sessionId = typeof claims.sid === 'string' ? claims.sid : undefined
  if (subject === undefined && sessionId === undefined) throw new OidcError('refused', 'the token names nobody')
  return { issuer, id: claims.jti ?? '', subject, sessionId }
}
