/**
 * A begun login, kept by the browser itself: sealed, ten minutes long, one cookie for each, so that parallel tabs do not
 * disturb each other. It is taken away when the browser comes back, whatever becomes of the login.
 */
import { z } from 'zod'
import type { Clock } from '../clock.ts'
import { passingSeal } from '../crypto/seal-context.ts'
import type { Sealer } from '../crypto/sealer.ts'
import { hashToken } from '../crypto/tokens.ts'
import type { CookieFlags, HttpCall } from '../http/route.ts'
import { parseOwn } from '../json/parse-own.ts'

const lifeMs = 600_000
/** More than anybody means to have; older ones give way before the header grows too long. */
const mostBegun = 12

const BegunLogin = z.object({
  provider: z.string(),
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  returnTo: z.string(),
  /** In milliseconds. */
  until: z.number(),
})
export type BegunLogin = z.infer<typeof BegunLogin>

interface Options {
  sealer: Pick<Sealer, 'seal' | 'open'>
  clock: Clock
  /** Sets the sealed values of one door apart from those of another. */
  purpose: string
  cookiePrefix: string
  flags: CookieFlags
}

type Jar = Pick<HttpCall, 'cookies' | 'setCookie' | 'clearCookie'>

export interface BegunLogins {
  keep(jar: Jar, login: Omit<BegunLogin, 'until'>): void
  /** Undefined when this browser began no such login at this provider, or too long ago. */
  take(jar: Jar, sought: { provider: string; state: string }): BegunLogin | undefined
}

export const createBegunLogins = ({ sealer, clock, purpose, cookiePrefix, flags }: Options): BegunLogins => {
  const context = passingSeal(purpose)
  const nameOf = (state: string): string => cookiePrefix + hashToken(state).slice(0, 16)

  /** Whatever does not open was not ours: as if it were not there. */
  const open = (sealed: string): BegunLogin | undefined => {
    try {
      return BegunLogin.parse(parseOwn(sealer.open(sealed, context)))
    } catch {
      return undefined
    }
  }
  return {
    keep: (jar, login) => {
      const others = Object.keys(jar.cookies).filter((name) => name.startsWith(cookiePrefix))
      for (const name of others.slice(0, Math.max(0, others.length - mostBegun + 1))) jar.clearCookie(name, flags)
      const until = clock.now().getTime() + lifeMs
      const value = sealer.seal(JSON.stringify({ ...login, until }), context)
      jar.setCookie(nameOf(login.state), value, { ...flags, expiresAt: new Date(until) })
    },
    take: (jar, { provider, state }) => {
      const name = nameOf(state)
      const sealed = jar.cookies[name]
      if (sealed === undefined) return undefined
      jar.clearCookie(name, flags)
      const begun = open(sealed)
      const isRight = begun?.state === state && begun.provider === provider && clock.now().getTime() < begun.until
      return isRight ? begun : undefined
    },
  }
}
