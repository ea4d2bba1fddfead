/** The process and its storage. */
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { bool, choice, integer, list, text, url, variable } from '../variable.ts'

/** Inside a container, its own loopback would be reached by nobody. */
const isInContainer = (): boolean => existsSync('/.dockerenv') || existsSync('/run/.containerenv')

const mostProcesses = 64
/** More than these share one database that is busy by then, and each takes its memory. */
const mostByDefault = 8

const perCore = (): number => Math.min(mostByDefault, availableParallelism())

const processes = variable<number>(
  'integer or auto',
  {
    fallback: perCore(),
    fallbackText: `\`auto\`: one per core, at most ${mostByDefault}`,
    sentence: 'Server processes of this machine, on one port, under a supervisor; 1 runs without one.',
  },
  (given) => {
    const value = given === 'auto' ? perCore() : Number(given)
    if (/^(auto|\d+)$/.test(given) && value >= 1 && value <= mostProcesses) return value
    throw new Error(`must be auto or a whole number from 1 to ${mostProcesses}`)
  },
)

export const running = {
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
    SVC_PROCESSES: processes,
    SVC_DRAIN_SECONDS: integer({
      fallback: 60,
      min: 0,
      max: 3600,
      sentence: 'How long a stopping server waits for replies, runs, jobs and requests that are under way.',
    }),
    SVC_DRAIN_DELAY: integer({
      fallback: 0,
      min: 0,
      max: 600,
      sentence: 'For how many seconds a stopping server still takes requests while /ready answers 503.',
    }),
    LOG_LEVEL: choice(['silent', 'error', 'warn', 'info', 'debug'], {
      fallback: 'info',
      sentence: 'How much is logged.',
    }),
    SVC_ACCESS_LOG: bool({
      fallback: false,
      sentence: 'Whether every request is logged: its route, status, time, person and address.',
    }),
    SVC_AUDIT_LOG: bool({
      fallback: false,
      sentence: 'Whether each entry of the audit log is also a line of the log.',
    }),
    TRUSTED_PROXIES: list({
      fallback: [],
      separator: ',',
      sentence: 'Addresses or networks whose X-Forwarded-* headers are believed.',
    }),
    SVC_REQUIRE_VERIFIED_EMAIL: bool({
      fallback: false,
      sentence: 'Whether people must prove their email address before they invite, share or publish.',
    }),
  },
  Database: {
    DATABASE_URL: url({
      fallback: undefined,
      fallbackText: 'an embedded PostgreSQL in the data folder',
      protocols: ['postgres:', 'postgresql:'],
      secret: true,
      sentence: 'Your own PostgreSQL (15 or later), or a connection pooler before it.',
    }),
    DATABASE_URL_DIRECT: url({
      fallback: undefined,
      fallbackText: 'the same as DATABASE_URL',
      protocols: ['postgres:', 'postgresql:'],
      secret: true,
      sentence: 'The same database past a pooler in transaction mode, for listening, migrations and locks.',
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
      sentence: 'A shared key-value store for rate limits and fan-out across several machines.',
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
      sentence: 'The mail server. Without one, the platform admin reads mail in the console.',
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
} as const
