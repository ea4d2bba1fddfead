/** The settings under `oauth.`: the environment's variables (contract, Authentication 13), and what may be saved over them. */
import { z } from 'zod'
import type { Settings } from '#modules/settings/index.ts'
import { isReserved, type OauthConfig } from './config.ts'

const Text = z.string().trim().min(1).max(500)
const Address = z.url({ protocol: /^https?$/ }).max(2000)
const AuthorizeParams = z
  .record(z.string().max(100), z.string().max(1000))
  .refine((params) => Object.keys(params).every((name) => !isReserved(name)), 'holds a name that the login sets')
const DirectoryId = z.guid('must be the id of one directory, a UUID')

const defaultScope = 'openid email profile'

export type OauthSettings = ReturnType<typeof registerOauthSettings>

export const registerOauthSettings = ({ register }: Pick<Settings, 'register'>, config: OauthConfig) => {
  type Environment = string | undefined
  const optional =
    (type: 'text' | 'secret', schema: z.ZodType<string>) =>
    (name: string, environment: Environment, sentence: string) =>
      register<string | undefined>({ key: `oauth.${name}`, type, schema, sentence, environment, fallback: undefined })
  const withDefault = (name: string, environment: Environment, facts: { fallback: string; sentence: string }) =>
    register<string>({ key: `oauth.${name}`, type: 'text', schema: Text, environment, ...facts })
  const text = optional('text', Text)
  const address = optional('text', Address)
  const secret = optional('secret', Text)
  const scope = (name: string, environment: Environment) =>
    withDefault(`${name}.scope`, environment, { fallback: defaultScope, sentence: 'What is asked of the provider.' })

  return {
    canSignUp: register<boolean>({
      key: 'oauth.enable_signup',
      type: 'boolean',
      schema: z.boolean(),
      fallback: false,
      environment: config.ENABLE_OAUTH_SIGNUP,
      sentence: 'Whether somebody without an account gets one by an OAuth login.',
    }),
    oidc: {
      clientId: text('oidc.client_id', config.OAUTH_CLIENT_ID, 'Our client at the OpenID Connect provider.'),
      clientSecret: secret('oidc.client_secret', config.OAUTH_CLIENT_SECRET, 'Its secret; a public client has none.'),
      discoveryUrl: address('oidc.provider_url', config.OPENID_PROVIDER_URL, 'The provider’s discovery address.'),
      name: withDefault('oidc.provider_name', config.OAUTH_PROVIDER_NAME, {
        fallback: 'SSO',
        sentence: 'What the sign-in button calls the provider.',
      }),
      scope: scope('oidc', config.OAUTH_SCOPES),
      redirectUri: address('oidc.redirect_uri', config.OPENID_REDIRECT_URI, 'The redirect address registered there.'),
      authorizeParams: register<Readonly<Record<string, string>>>({
        key: 'oauth.oidc.authorize_params',
        type: 'json',
        schema: AuthorizeParams,
        fallback: {},
        environment: config.OAUTH_AUTHORIZE_PARAMS,
        sentence: 'Extra parameters of the authorize address.',
      }),
    },
    google: {
      clientId: text('google.client_id', config.GOOGLE_CLIENT_ID, 'Our client at Google.'),
      clientSecret: secret('google.client_secret', config.GOOGLE_CLIENT_SECRET, 'Its secret.'),
      scope: scope('google', config.GOOGLE_OAUTH_SCOPE),
      redirectUri: address('google.redirect_uri', config.GOOGLE_REDIRECT_URI, 'The redirect address registered there.'),
    },
    microsoft: {
      clientId: text('microsoft.client_id', config.MICROSOFT_CLIENT_ID, 'Our client at Microsoft.'),
      clientSecret: secret('microsoft.client_secret', config.MICROSOFT_CLIENT_SECRET, 'Its secret.'),
      tenantId: optional('text', DirectoryId)(
        'microsoft.tenant_id',
        config.MICROSOFT_CLIENT_TENANT_ID,
        'The id of the directory whose people may sign in.',
      ),
      scope: scope('microsoft', config.MICROSOFT_OAUTH_SCOPE),
      redirectUri: address(
        'microsoft.redirect_uri',
        config.MICROSOFT_REDIRECT_URI,
        'The redirect address registered there.',
      ),
    },
  }
}
