/** The company login. */
import { bool, integer, list, text, url, type ValuesOf, web } from '#kernel/config/variable.ts'
import { StartError } from '#kernel/process/start-error.ts'

export const ssoVariables = {
  'Company login': {
    IDP_ISSUER_URI: url({
      fallback: undefined,
      fallbackText: 'none: native login only',
      protocols: web,
      sentence: 'The identity provider; must equal the `iss` claim of its tokens exactly.',
    }),
    IDP_CLIENT_ID: text({ fallback: undefined, sentence: 'Our confidential client there.' }),
    IDP_CLIENT_SECRET: text({ fallback: undefined, secret: true, sentence: 'Its secret.' }),
    IDP_SSO_CALLBACK_URL: url({
      fallback: undefined,
      fallbackText: 'SVC_URL/sso/callback',
      protocols: web,
      sentence: 'The redirect URI registered there, ending in /sso/callback.',
    }),
    IDP_ALLOWED_CLIENT_IDS: list({
      fallback: [],
      fallbackText: 'IDP_CLIENT_ID alone',
      separator: ',',
      sentence: 'Client ids trusted to authenticate, checked against the `azp` of tokens.',
    }),
    IDP_SSO_COOKIE_SECURE: bool({
      fallback: true,
      sentence:
        'Whether the cookies of a begun company login travel over HTTPS only; false only for local development.',
    }),
    IDP_ADMIN_CLIENT_ID: text({
      fallback: undefined,
      fallbackText: 'none: people are not provisioned there',
      sentence: 'A service account of the provider that may manage users, and see roles where there are many people.',
    }),
    IDP_ADMIN_CLIENT_SECRET: text({ fallback: undefined, secret: true, sentence: 'Its secret.' }),
    IDP_SYNC_INTERVAL_MS: integer({
      fallback: 300_000,
      min: 10_000,
      max: 86_400_000,
      sentence: 'How often changes of the provider’s directory are pulled, in milliseconds. Needs the service account.',
    }),
  },
} as const
export type SsoConfig = ValuesOf<typeof ssoVariables>

export const checkSso = (config: SsoConfig): void => {
  const { IDP_ISSUER_URI: issuer, IDP_CLIENT_ID: id, IDP_CLIENT_SECRET: secret } = config
  if (new Set([issuer, id, secret].map((value) => value === undefined)).size > 1)
    throw new StartError('IDP_ISSUER_URI, IDP_CLIENT_ID and IDP_CLIENT_SECRET need each other: set all or none.')
  const { IDP_ADMIN_CLIENT_ID: adminId, IDP_ADMIN_CLIENT_SECRET: adminSecret } = config
  if ((adminId === undefined) !== (adminSecret === undefined))
    throw new StartError('IDP_ADMIN_CLIENT_ID and IDP_ADMIN_CLIENT_SECRET need each other: set both or neither.')
  if (adminId !== undefined && !issuer?.includes('/realms/'))
    throw new StartError('IDP_ADMIN_CLIENT_ID needs an IDP_ISSUER_URI that names a realm (…/realms/<name>).')
}
