/** The cookie that remembers the ID token for signing out: sealed, so that a browser can keep but not read it. */
import { z } from 'zod'
import { passingSeal } from '#kernel/crypto/seal-context.ts'
import type { CookieFlags, HttpCall } from '#kernel/http/route.ts'
import { parseOwn } from '#kernel/json/parse-own.ts'
import type { SsoContext } from './context.ts'

const KeptLogin = z.object({ userId: z.string(), idToken: z.string() })
const keptLogin = passingSeal('sso:login')

/** Browsers refuse larger cookies. Without a hint, the provider asks the person to confirm the sign-out. */
const longestCookie = 3800

type Jar = Pick<HttpCall, 'cookies' | 'setCookie' | 'clearCookie'>

const keptFlags = ({ settings }: SsoContext): CookieFlags => ({
  secure: settings.isSecure,
  sameSite: 'lax',
  path: '/sso',
})
const keptName = ({ settings }: SsoContext): string => (settings.isSecure ? '__Secure-sso_login' : 'sso_login')

/** As long as the session itself. */
export const keepLogin = (
  context: SsoContext,
  jar: Jar,
  { login, expiresAt }: { login: z.infer<typeof KeptLogin>; expiresAt: Date | null },
): void => {
  const sealed = context.sealer.seal(JSON.stringify(login), keptLogin)
  if (sealed.length > longestCookie) return
  jar.setCookie(keptName(context), sealed, { ...keptFlags(context), ...(expiresAt && { expiresAt }) })
}

export const takeLogin = (context: SsoContext, jar: Jar): z.infer<typeof KeptLogin> | undefined => {
  const sealed = jar.cookies[keptName(context)]
  if (sealed === undefined) return undefined
  jar.clearCookie(keptName(context), keptFlags(context))
  try {
    return KeptLogin.parse(parseOwn(context.sealer.open(sealed, keptLogin)))
  } catch {
    // Whatever does not open was not ours: as if it were not there.
    return undefined
  }
}
