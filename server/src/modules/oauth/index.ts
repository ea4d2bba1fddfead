/** The gateway's OAuth and OpenID Connect login. The public interface of the module. */
import './tables.ts'
import { sealingKeys } from '#kernel/config/secrets.ts'
import { createSealer } from '#kernel/crypto/sealer.ts'
import type { Kernel, Module } from '#kernel/kernel.ts'
import { createBegunLogins, createOidcClients, type OidcClient } from '#kernel/oidc/index.ts'
import type { Accounts } from '#modules/accounts/index.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import type { Settings } from '#modules/settings/index.ts'
import type { OauthConfig } from './config.ts'
import type { OauthContext } from './context.ts'
import { clearLoginCookies } from './login-cookies.ts'
import { listProviders, type WellKnown, wellKnown } from './providers.ts'
import { deleteOauthSessionsUnscoped } from './queries.ts'
import { oauthRoutes } from './routes.ts'
import { registerOauthSettings } from './settings.ts'

export type { WellKnown } from './providers.ts'

interface Options {
  kernel: Kernel<OauthConfig>
  accounts: Accounts
  organizations: Pick<Organizations, 'findByAddressUnscoped'>
  settings: Settings
  /** Other addresses than the usual ones of Google and Microsoft. */
  endpoints?: WellKnown | undefined
}

export const createOauth = ({
  kernel,
  accounts,
  organizations,
  settings: registry,
  endpoints = wellKnown,
}: Options): Module => {
  const settings = registerOauthSettings(registry, kernel.config)
  const context: OauthContext = {
    ...kernel,
    accounts,
    organizations,
    providers: () => listProviders({ settings, externalUrl: kernel.externalUrl, wellKnown: endpoints }),
    clientOf: rememberedClients(kernel),
    canSignUp: settings.canSignUp,
    begunLogins: createBegunLogins({
      sealer: kernel.sealer,
      clock: kernel.clock,
      purpose: 'oauth begun login',
      cookiePrefix: 'oauth_begun_',
      flags: {
        path: '/oauth',
        secure: kernel.config.SVC_SESSION_COOKIE_SECURE,
        sameSite: kernel.config.SVC_SESSION_COOKIE_SAME_SITE,
      },
    }),
    tokenSealer: createTokenSealer(kernel),
  }
  accounts.registerSessionCompanion({
    end: async (tx, sessionId) => void (await deleteOauthSessionsUnscoped(tx, sessionId)),
    clearCookies: (http) => clearLoginCookies(kernel, http),
  })
  return { routes: oauthRoutes(context) }
}

/** A client remembers what its provider said about itself; changed settings need a new one. */
const rememberedClients = (kernel: Kernel<OauthConfig>): OauthContext['clientOf'] => {
  const clients = createOidcClients(kernel)
  const known = new Map<string, { made: string; client: OidcClient }>()
  return ({ id, oidc }) => {
    const made = JSON.stringify(oidc)
    const found = known.get(id)
    if (found?.made === made) return found.client
    const client = clients.create(oidc)
    known.set(id, { made, client })
    return client
  }
}

const createTokenSealer = ({ config, secrets }: Kernel<OauthConfig>) =>
  createSealer(
    config.OAUTH_SESSION_TOKEN_ENCRYPTION_KEY === undefined
      ? sealingKeys(secrets, config)
      : { current: config.OAUTH_SESSION_TOKEN_ENCRYPTION_KEY, previous: [] },
  )
