/** Secrets, cookies, and what may be reached. */
import { bool, choice, list, secret, text } from '../variable.ts'

const hostAndPort = (item: string): string => {
  if (/^(\[[0-9a-f:.]+\]|[a-z0-9.-]+):\d{1,5}$/i.test(item)) return item.toLowerCase()
  throw new Error(`must be a list of exact host:port pairs; "${item}" is none`)
}

export const access = {
  'Secrets and login': {
    JWT_SECRET: secret({ minLength: 64, sentence: 'Signs login tokens (HS256).' }),
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
  'Reaching other servers': {
    OUTBOUND_ALLOWED_HOSTS: list({
      fallback: [],
      separator: ',',
      item: hostAndPort,
      sentence: 'Exact host:port pairs that may be reached though they are not public.',
    }),
  },
} as const
