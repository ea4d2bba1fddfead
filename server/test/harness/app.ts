/** The real app on a cloned database, with real sockets and a captured mailbox. One per test file as a rule. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AppOptions, startApp } from '#app'
import { type Config, readConfig } from '#config'
import type { Failpoints } from '#kernel/failpoints.ts'
import type { Patience } from '#kernel/http/connections.ts'
import { createLog } from '#kernel/log.ts'
import type { WellKnown } from '#modules/oauth/index.ts'
import { startSmtp } from '../peers/smtp.ts'
import { atEnd } from './at-end.ts'
import { shareChildren } from './children.ts'
import { createTestClock } from './clock.ts'
import { shareComputing } from './computing.ts'
import { cloneDatabase } from './database.ts'
import { createMailbox } from './mailbox.ts'
import { createPeople } from './people.ts'
import { testSecrets } from './secrets.ts'

export interface TestAppOptions {
  env?: Record<string, string>
  /** Settings that the environment may not have, such as an interval too short for operators. */
  config?: Partial<Config>
  /** Start a second node on the same database. */
  databaseUrl?: string
  /** The clock's lead from the first moment on. */
  clockAheadMs?: number
  /** Replaces the addresses of Google and Microsoft. */
  oauthEndpoints?: WellKnown
  /** Places where the app should fail. */
  failpoints?: Failpoints
  /** A client may read nothing of what it is sent for this long. */
  readerPatienceMs?: number
  /** When connections are closed. */
  patience?: Partial<Patience>
  /** The time for jobs and calls to finish when it stops. */
  drainMs?: number
  /** Shorter intervals and waits than in production. */
  timings?: NonNullable<AppOptions['timings']>
  /** Child processes of its own, where their start, end or metrics matter. */
  ownChildren?: boolean
}

/** Cheap hashes: tests create many people, and the real cost is tested separately. */
const passwordCost = 4

/** Starts an app that somebody else stops, or that ends with the worker. */
export const launchApp = async ({
  env = {},
  config: given = {},
  databaseUrl,
  clockAheadMs,
  ownChildren = false,
  ...options
}: TestAppOptions) => {
  const [database, smtp] = await Promise.all([databaseUrl === undefined ? cloneDatabase() : undefined, startSmtp()])
  const dataDir = await mkdtemp(join(tmpdir(), 'chancery-app-'))
  const environment = {
    SVC_DATA_DIR: dataDir,
    PORT: '0',
    HOST: '127.0.0.1',
    TRUSTED_PROXIES: '127.0.0.1',
    SMTP_HOST: '127.0.0.1',
    SMTP_PORT: String(smtp.port),
    SVC_AUTH_COOKIE_SECURE: 'false',
    SVC_SESSION_COOKIE_SECURE: 'false',
    LOG_LEVEL: 'silent',
    // The local engine needs seconds to start; tests of semantic search bring an engine of their own.
    RAG_EMBEDDING_ENGINE: 'none',
    // Few, because opening one takes longer than most tests use it; and a request that waits for a second connection while
    // it holds one gets stuck here before it does in production.
    DATABASE_POOL_SIZE: '4',
    // Left-overs of a test must not hold it for a minute.
    SVC_DRAIN_SECONDS: '10',
    ...env,
  }
  const config = { ...readConfig(environment), ...given }
  const lines: string[] = []
  const log = createLog(config.LOG_LEVEL, { write: (line) => void lines.push(line) })
  const clock = createTestClock(clockAheadMs)
  const url = databaseUrl ?? database?.url ?? ''
  const app = await startApp({
    config,
    secrets: testSecrets,
    databaseUrl: url,
    log,
    clock,
    monotonicMs: clock.monotonicMs,
    passwordCost,
    checksReplies: true,
    ...(!ownChildren && { children: shareChildren() }),
    computing: shareComputing(),
    ...options,
  })

  // Forgotten when it stops: who keeps `stop` doesn't keep the server.
  let running: typeof app | undefined = app
  const stop = async (): Promise<void> => {
    const stopping = running
    if (!stopping) return
    running = undefined
    await stopping.stop()
    await smtp.close()
    await database?.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return {
    url: app.address,
    databaseUrl: url,
    routes: app.routes,
    db: app.db,
    ports: app.ports,
    demo: app.demo,
    clock,
    smtp,
    /** The log, line by line. */
    logLines: lines,
    stop,
  }
}

/** People and organizations of one test file. */
export const withPeople = (app: Awaited<ReturnType<typeof launchApp>>) => ({
  ...app,
  ...createPeople(app.url, app.db),
  ...createMailbox(app.smtp),
})

export const testApp = async (options: TestAppOptions = {}) => {
  const app = withPeople(await launchApp(options))
  const { stop } = app
  atEnd(async () => {
    await stop()
    // A test file stays loaded until its worker ends, and `app` with it: emptied, it no longer holds a server of 5 MB.
    for (const name of Object.keys(app)) if (name !== 'stop') Reflect.deleteProperty(app, name)
  })
  return app
}

export type TestApp = Awaited<ReturnType<typeof testApp>>
