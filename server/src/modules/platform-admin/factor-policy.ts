/** What the platform asks of its admins when they sign in. */
import { FactorPolicy } from '@chancery/contract/accounts/factors.ts'
import { z } from 'zod'
import type { Logins } from '#modules/accounts/index.ts'
import type { Settings } from '#modules/settings/index.ts'

export interface AdminPolicy {
  factors: FactorPolicy
  remembersBrowsers: boolean
}

export const declareAdminPolicy = (
  settings: Pick<Settings, 'register'>,
  { canHavePasskeys }: Pick<Logins, 'canHavePasskeys'>,
): (() => AdminPolicy) => {
  const factors = settings.register<FactorPolicy>({
    key: 'platform.factor_policy',
    type: 'text',
    sentence:
      'The second factor that platform admins need to sign in: none, any (a passkey or an authenticator app), or phishing_resistant (a passkey).',
    schema: FactorPolicy.refine((policy) => policy !== 'phishing_resistant' || canHavePasskeys(), {
      message: 'passkeys need a domain name: this server is reached by an IP address',
    }),
    environment: undefined,
    fallback: 'none',
  })
  const remembersBrowsers = settings.register<boolean>({
    key: 'platform.remembers_browsers',
    type: 'boolean',
    sentence: 'Whether platform admins may leave a browser without a second step for 30 days.',
    schema: z.boolean(),
    environment: undefined,
    fallback: false,
  })
  return () => ({ factors: factors(), remembersBrowsers: remembersBrowsers() })
}
