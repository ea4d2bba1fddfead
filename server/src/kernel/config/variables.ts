/** Every environment variable, in one table. docs/CONFIGURATION.md is generated from it. */
import { existsSync } from 'node:fs'
import { bool, choice, duration, integer, list, secret, text, url } from './variable.ts'

/** Inside a container, its own loopback would be reached by nobody. */
const isInContainer = (): boolean => existsSync('/.dockerenv') || existsSync('/run/.containerenv')

const hostAndPort = (item: string): string => {
  if (/^(\[[0-9a-f:.]+\]|[a-z0-9.-]+):\d{1,5}$/i.test(item)) return item.toLowerCase()
  throw new Error(`must be a list of exact host:port pairs; "${item}" is none`)
}

export const sections = {
  'Where it runs': {
    PORT: integer({ fallback: 8080, min: 0, max: 65_535, sentence: 'The port it listens on; 0 picks a free one.' }),
    HOST: text({
      fallback: isInContainer() ? '0.0.0.0' : '127.0.0.1',
      fallbackText: '`127.0.0.1`, inside a container `0.0.0.0`',
      sentence: 'The address it listens on.',
    }),
    ENV: text({ fallback: 'prod', sentence: 'dev opens the interactive API documentation at /docs.' }),
    SVC_URL: url({
      fallback: undefined,
      fallbackText: 'http://localhost:PORT',
      protocols: ['http:', 'https:'],
      sentence: 'The external address of this instance, used in mails and login redirects.',
    }),
    SVC_DATA_DIR: text({ fallback: './data', sentence: 'Holds the embedded database, blobs and generated secrets.' }),
    SVC_ROLE: choice(['all', 'api', 'worker'], {
      fallback: 'all',
      sentence: 'What this process does: answer requests, work jobs, or both.',
    }),
    SVC_BUILD: choice(['release', 'pre-release'], {
      fallback: 'release',
      sentence: 'Which of the two documented behaviours of outlet filters applies.',
    }),
    LOG_LEVEL: choice(['silent', 'error', 'warn', 'info', 'debug'], {
      fallback: 'info',
      sentence: 'How much is logged.',
    }),
    TRUSTED_PROXIES: list({
      fallback: [],
      separator: ',',
      sentence: 'Addresses or networks whose X-Forwarded-* headers are believed.',
    }),
  },
  Database: {
    DATABASE_URL: url({
      fallback: undefined,
      fallbackText: 'an embedded PostgreSQL in the data folder',
      protocols: ['postgres:', 'postgresql:'],
      secret: true,
      sentence: 'Your own PostgreSQL (15 or later).',
    }),
    DATABASE_POOL_SIZE: integer({
      fallback: 16,
      min: 2,
      max: 500,
      sentence: 'Connections each process keeps to PostgreSQL.',
    }),
    REDIS_URL: url({
      fallback: undefined,
      fallbackText: 'none',
      protocols: ['redis:', 'rediss:'],
      secret: true,
      sentence: 'A shared key-value store for rate limits and fan-out across several processes.',
    }),
  },
  Blobs: {
    S3_ENDPOINT: url({
      fallback: undefined,
      fallbackText: 'a folder in the data folder',
      protocols: ['http:', 'https:'],
      sentence: 'An S3-compatible store for files.',
    }),
    S3_BUCKET: text({ fallback: undefined, sentence: 'Its bucket.' }),
    S3_REGION: text({ fallback: 'us-east-1', sentence: 'Its region.' }),
    S3_ACCESS_KEY_ID: text({ fallback: undefined, secret: true, sentence: 'Its access key.' }),
    S3_SECRET_ACCESS_KEY: text({ fallback: undefined, secret: true, sentence: 'Its secret key.' }),
  },
  Mail: {
    SMTP_HOST: text({
      fallback: undefined,
      fallbackText: 'none: mail is kept in the outbox',
      sentence: 'The mail server. Without one, the platform owner reads mail in the console.',
    }),
    SMTP_PORT: integer({ fallback: 587, min: 1, max: 65_535, sentence: 'Its port.' }),
    SMTP_USER: text({ fallback: undefined, sentence: 'Its user.' }),
    SMTP_PASSWORD: text({ fallback: undefined, secret: true, sentence: 'Its password.' }),
    SMTP_SECURE: bool({
      fallback: false,
      sentence: 'true for TLS from the first byte (port 465); false upgrades with STARTTLS where offered.',
    }),
    SMTP_FROM: text({ fallback: 'Chancery <chancery@localhost>', sentence: 'The sender of every mail.' }),
  },
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
