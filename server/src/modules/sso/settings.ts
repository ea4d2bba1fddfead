/** The variables of company login, read once. Undefined: not configured, native login only. */
import type { SsoConfig } from './config.ts'

export interface SsoSettings {
  issuer: string
  clientId: string
  clientSecret: string
  callbackUrl: string
  /** Whose tokens may sign in here, by `azp`. */
  allowedClientIds: readonly string[]
  isSecure: boolean
  /** The service account, where people are to be provisioned. */
  admin: { clientId: string; clientSecret: string } | undefined
  syncEveryMs: number
}

export const readSettings = (config: SsoConfig, externalUrl: string): SsoSettings | undefined => {
  const { IDP_ISSUER_URI: issuer, IDP_CLIENT_ID: clientId, IDP_CLIENT_SECRET: clientSecret } = config
  if (!issuer || !clientId || !clientSecret) return undefined
  const { IDP_ADMIN_CLIENT_ID: adminId, IDP_ADMIN_CLIENT_SECRET: adminSecret } = config
  const allowed = config.IDP_ALLOWED_CLIENT_IDS
  return {
    issuer,
    clientId,
    clientSecret,
    callbackUrl: config.IDP_SSO_CALLBACK_URL ?? `${externalUrl}/sso/callback`,
    allowedClientIds: allowed.length > 0 ? allowed : [clientId],
    isSecure: config.IDP_SSO_COOKIE_SECURE,
    admin: adminId && adminSecret ? { clientId: adminId, clientSecret: adminSecret } : undefined,
    syncEveryMs: config.IDP_SYNC_INTERVAL_MS,
  }
}
