/** Login tokens: HS256, bound to a session by `jti`. The signature only opens the door; the session row decides. */
import { jwtVerify, SignJWT } from 'jose'
import { unixSeconds } from '#kernel/clock.ts'
import type { Principal } from '#kernel/http/actor.ts'

export interface Tokens {
  sign(principal: Principal, session: { id: string; createdAt: Date; expiresAt: Date | null }): Promise<string>
  /** Which session of whom, or undefined for anything but an intact token of ours. */
  read(token: string): Promise<{ sessionId: string; principalId: string } | undefined>
}

/** Decoders pass over blanks, padding and unused bits; then one login would have many tokens. We take the one spelling. */
const exactForm = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/

interface Options {
  secret: string
  /** True when tokens must carry an end; false only when logins never expire. */
  mustExpire: boolean
  now(): Date
}

export const createTokens = ({ secret, mustExpire, now }: Options): Tokens => {
  const key = new TextEncoder().encode(secret)
  const requiredClaims = ['sub', 'jti', 'iat', ...(mustExpire ? ['exp'] : [])]
  return {
    sign: (principal, { id, createdAt, expiresAt }) => {
      const token = new SignJWT({ role: principal.role, org: principal.organizationId })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setSubject(principal.id)
        .setJti(id)
        .setIssuedAt(unixSeconds(createdAt))
      return (expiresAt ? token.setExpirationTime(unixSeconds(expiresAt)) : token).sign(key)
    },
    read: async (token) => {
      if (!exactForm.test(token)) return undefined
      try {
        const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'], requiredClaims, currentDate: now() })
        const { iss, jti, sub } = payload
        if (iss !== undefined || typeof jti !== 'string' || typeof sub !== 'string') return undefined
        return { sessionId: jti, principalId: sub }
      } catch {
        return undefined
      }
    },
  }
}
