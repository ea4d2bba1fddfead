/** Secrets, sign-in and directories. */
import { bool, choice, duration, integer, list, matching, parameters, secret, text, url, web } from '../variable.ts'

const directoryId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Parameters that the login itself puts into the authorize address. */
export const reservedAuthorizeParams = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'request',
  'request_uri',
] as const

export const signingIn = {
  'Secrets and login': {
    JWT_SECRET: secret({ minLength: 64, sentence: 'Signs login tokens (HS256).' }),
    JWT_EXPIRES_IN: duration({
      fallback: 28 * 86_400_000,
      fallbackText: '4w',
      sentence: 'How long a login lasts: a number with ms, s, m, h, d or w, or -1 for no end.',
    }),
    SVC_SECRET_KEY: secret({ minLength: 32, sentence: 'Encrypts stored credentials (AES-256-GCM).' }),
    SVC_SECRET_KEYS_PREVIOUS: list({
      fallback: [],
      separator: ',',
      secret: true,
      sentence: 'Former values of SVC_SECRET_KEY, still able to decrypt.',
    }),
    ADMIN_SETUP_KEY: secret({ minLength: 16, sentence: 'Allows the first platform admin to be made.' }),
    CUSTOM_API_KEY_HEADER: text({
      fallback: 'x-api-key',
      sentence: 'The header that carries an API key where a proxy uses Authorization for itself.',
    }),
    SVC_AUTH_COOKIE_SAME_SITE: choice(['lax', 'strict', 'none'], {
      fallback: 'lax',
      sentence: 'SameSite of the login cookie.',
    }),
    SVC_AUTH_COOKIE_SECURE: bool({
      fallback: true,
      sentence: 'Whether the login cookie travels over HTTPS only. Browsers make an exception for localhost.',
    }),
    SVC_SESSION_COOKIE_SAME_SITE: choice(['lax', 'strict', 'none'], {
      fallback: 'lax',
      sentence: 'SameSite of the cookie that remembers a begun OAuth login; strict keeps it from coming back.',
    }),
    SVC_SESSION_COOKIE_SECURE: bool({
      fallback: true,
      sentence: 'Whether that cookie travels over HTTPS only. Browsers make an exception for localhost.',
    }),
  },
  'Saved settings': {
    ENABLE_PERSISTENT_CONFIG: bool({
      fallback: true,
      sentence: 'Whether settings saved in the console win over the environment.',
    }),
    ENABLE_OAUTH_PERSISTENT_CONFIG: bool({
      fallback: false,
      sentence: 'Whether saved settings whose name starts with oauth. do so too.',
    }),
  },
  'OAuth login': {
    OAUTH_CLIENT_ID: text({ fallback: undefined, sentence: 'Our client at the OpenID Connect provider.' }),
    OAUTH_CLIENT_SECRET: text({
      fallback: undefined,
      secret: true,
      sentence: 'Its secret; a public client has none.',
    }),
    OPENID_PROVIDER_URL: url({
      fallback: undefined,
      protocols: web,
      sentence: 'The provider’s discovery address (…/.well-known/openid-configuration). Needed for OpenID Connect.',
    }),
    ENABLE_OAUTH_SIGNUP: bool({
      fallback: undefined,
      fallbackText: '`false`',
      sentence: 'Whether somebody without an account gets one by an OAuth login.',
    }),
    OAUTH_PROVIDER_NAME: text({
      fallback: undefined,
      fallbackText: '`SSO`',
      sentence: 'What the sign-in button calls the provider.',
    }),
    OAUTH_SCOPES: text({
      fallback: undefined,
      fallbackText: '`openid email profile`',
      sentence: 'What is asked of the provider.',
    }),
    OPENID_REDIRECT_URI: url({
      fallback: undefined,
      fallbackText: 'SVC_URL/oauth/oidc/callback',
      protocols: web,
      sentence: 'The redirect address registered at the provider.',
    }),
    OAUTH_AUTHORIZE_PARAMS: parameters({
      fallback: undefined,
      fallbackText: 'none',
      reserved: reservedAuthorizeParams,
      sentence: 'Extra parameters of the authorize address, such as `{"prompt":"login"}`.',
    }),
    OAUTH_SESSION_TOKEN_ENCRYPTION_KEY: secret({
      minLength: 32,
      fallbackText: 'SVC_SECRET_KEY',
      sentence: 'Encrypts the provider’s tokens at rest. After a change, people sign in at the provider again.',
    }),
    GOOGLE_CLIENT_ID: text({ fallback: undefined, sentence: 'Our client at Google.' }),
    GOOGLE_CLIENT_SECRET: text({ fallback: undefined, secret: true, sentence: 'Its secret.' }),
    GOOGLE_OAUTH_SCOPE: text({
      fallback: undefined,
      fallbackText: '`openid email profile`',
      sentence: 'What is asked of Google.',
    }),
    GOOGLE_REDIRECT_URI: url({
      fallback: undefined,
      fallbackText: 'SVC_URL/oauth/google/callback',
      protocols: web,
      sentence: 'The redirect address registered at Google.',
    }),
    MICROSOFT_CLIENT_ID: text({ fallback: undefined, sentence: 'Our client at Microsoft.' }),
    MICROSOFT_CLIENT_SECRET: text({ fallback: undefined, secret: true, sentence: 'Its secret.' }),
    MICROSOFT_CLIENT_TENANT_ID: matching(directoryId, {
      fallback: undefined,
      problem: 'must be the id of one directory, a UUID; names such as common would let everybody in',
      sentence: 'The id of the directory whose people may sign in.',
    }),
    MICROSOFT_OAUTH_SCOPE: text({
      fallback: undefined,
      fallbackText: '`openid email profile`',
      sentence: 'What is asked of Microsoft.',
    }),
    MICROSOFT_REDIRECT_URI: url({
      fallback: undefined,
      fallbackText: 'SVC_URL/oauth/microsoft/callback',
      protocols: web,
      sentence: 'The redirect address registered at Microsoft.',
    }),
  },
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
      sentence: 'A service account of the provider that may manage users and nothing else.',
    }),
    IDP_ADMIN_CLIENT_SECRET: text({ fallback: undefined, secret: true, sentence: 'Its secret.' }),
    IDP_SYNC_INTERVAL_MS: integer({
      fallback: 300_000,
      min: 10_000,
      max: 86_400_000,
      sentence: 'How often changes of the provider’s directory are pulled, in milliseconds. Needs the service account.',
    }),
  },
  Directories: {
    LDAP_PROVISIONING_ENABLED: bool({
      fallback: false,
      sentence: 'Whether companies, their groups, departments and people are mirrored into a directory of yours.',
    }),
    LDAP_URL: url({
      fallback: undefined,
      fallbackText: 'none',
      protocols: ['ldap:', 'ldaps:'],
      sentence: 'That directory: ldaps://host:port, or ldap://host:port, which is upgraded with StartTLS.',
    }),
    LDAP_BASE_DN: text({ fallback: undefined, sentence: 'Where in it ou=companies stands or is made.' }),
    LDAP_BIND_DN: text({ fallback: undefined, sentence: 'The account that writes there.' }),
    LDAP_BIND_PASSWORD: text({ fallback: undefined, secret: true, sentence: 'Its password.' }),
    LDAP_CA_FILE: text({
      fallback: undefined,
      fallbackText: 'the authorities that Node.js trusts',
      sentence: 'The authority of its certificate, as a PEM file.',
    }),
    LDAP_ALLOW_PLAINTEXT: bool({
      fallback: false,
      sentence: "Whether a directory, yours or a company's own, may be used without TLS. For tests on one machine.",
    }),
  },
} as const
