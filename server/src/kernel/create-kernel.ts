/** Builds everything modules share, from one configuration. Nothing runs before `start`. */
import { createAudit } from './audit/audit.ts'
import { createBlobs, openBlobStore } from './blobs/index.ts'
import { type Children, createChildren } from './child/index.ts'
import type { Clock } from './clock.ts'
import { type Computing, createCompute } from './compute/index.ts'
import type { Config } from './config/config.ts'
import { type Secrets, sealingKeys } from './config/secrets.ts'
import { createSealer } from './crypto/sealer.ts'
import { createChecks } from './db/checks.ts'
import { requireRoom } from './db/connection-room.ts'
import { createDb, createPool, type Pool, reportPool } from './db/database.ts'
import { createDatabaseClock } from './db/database-clock.ts'
import { migrate } from './db/migrate.ts'
import { findPooler, withoutPooler } from './db/pooler/find-pooler.ts'
import { readMigrations } from './db/read-migrations.ts'
import { createSearch } from './db/searches.ts'
import { createSignals } from './db/signals.ts'
import { type PoolWatch, watchPool } from './db/watch-pool.ts'
import { createDrain } from './drain.ts'
import { endsWithin } from './ends-within.ts'
import { createExpressions } from './expressions/expressions.ts'
import { type Failpoints, noFailpoints } from './failpoints.ts'
import { createHeldBack } from './held-back/held-back.ts'
import type { Ids } from './ids.ts'
import { createJobs, type JobDefinition } from './jobs/jobs.ts'
import type { Kernel } from './kernel.ts'
import { createLimits } from './limits/limits.ts'
import type { Log } from './log.ts'
import { reportBlocks } from './loop-watch/loop-watch.ts'
import { createMail } from './mail/mail.ts'
import { createMetrics } from './metrics/index.ts'
import { createNodes } from './nodes/nodes.ts'
import { createOutbound } from './outbound/index.ts'
import { aloneOnMachine, type Machine } from './process/machine.ts'
import { createQuotas } from './quotas/index.ts'
import { stopEach } from './stop-each.ts'
import { createTasks } from './tasks.ts'
import { createTraces } from './traces/traces.ts'

export interface KernelOptions<Own> {
  config: Config & Own
  secrets: Secrets
  databaseUrl: string
  migrationsDir: string
  log: Log
  /** Tests bring one that they can move; otherwise it is the database's. */
  clock?: Clock
  ids: Ids
  passwordCost: number
  /** Instead of SVC_DRAIN_SECONDS. */
  drainMs?: number | undefined
  /** Tests share child processes between apps. */
  children?: Children
  /** And computing threads. */
  computing?: Computing
  /** The other servers of this machine; none unless told. */
  machine?: Machine | undefined
  /** Logs who blocks the event loop. Tests don't want a thread for each app. */
  watchesLoop?: boolean
  /** Places where tests make the process fail. */
  failpoints?: Failpoints
}

export interface RunningKernel<Own> {
  kernel: Kernel<Own>
  /** Listens to other nodes and begins to work jobs; the modules have registered theirs by then. */
  start(jobs: readonly JobDefinition[]): Promise<void>
  /** The stop has begun: no job is taken any more. */
  beginStop(): void
  /** Lets jobs and background work finish for a while, then closes every connection. */
  stop(stopModules: () => Promise<void>): Promise<void>
}

const poolEndMs = 2_000
/** Background work has this long to end when the time for calls is over. */
const settleMs = 2_000

export const createKernel = async <Own>(options: KernelOptions<Own>): Promise<RunningKernel<Own>> => {
  const { config, secrets, databaseUrl, log, ids, passwordCost, failpoints = noFailpoints } = options
  const { machine = aloneOnMachine } = options
  const drain = createDrain(options.drainMs ?? config.SVC_DRAIN_SECONDS * 1000)
  let isStopping = false
  const stopping = new AbortController()
  const { url, sessionUrl, pooler } =
    config.DATABASE_URL === undefined
      ? withoutPooler(databaseUrl)
      : await findPooler({ url: databaseUrl, directUrl: config.DATABASE_URL_DIRECT })
  const pool = createPool({ connectionString: url, max: config.DATABASE_POOL_SIZE, pooler })
  const session = { connectionString: sessionUrl, application_name: pool.options.application_name }
  pool.on('error', (problem) => isStopping || log.warn({ err: problem }, 'an idle database connection was lost'))
  const metrics = createMetrics(log, machine.siblings)
  reportPool(metrics, pool)
  const tasks = createTasks(log, metrics)
  const closing = new AbortController()
  const watch = watchPool({ pool, pooler, session, log, tasks, signal: closing.signal })
  const direct = sessionUrl === url ? pool : createPool({ connectionString: sessionUrl, max: 1 })
  // Lost while it is used, its statement fails; afterwards it is ended anyway.
  direct.on('error', () => undefined)
  await migrate(direct, readMigrations(options.migrationsDir))
  await requireRoom({ pool: direct, pooler, config, log, metrics })
  if (direct !== pool) await direct.end()
  const databaseClock = await createDatabaseClock(pool)
  const clock = options.clock ?? databaseClock

  const db = createDb(pool, { pooler })
  const children = options.children ?? createChildren({ log, metrics, machine })
  const audit = createAudit({ clock, ids, log: config.SVC_AUDIT_LOG ? log : undefined })
  const heldBack = createHeldBack({ db, clock, audit, metrics })
  const nodeId = ids.next()
  const signals = createSignals(sessionUrl, log, nodeId)
  const sealer = createSealer(sealingKeys(secrets, config))
  const nodes = createNodes({ db, id: nodeId, failpoints, keyIds: sealer.keyIds, signals, tasks })
  const checks = createChecks({ db, tasks, signal: stopping.signal })
  options.clock?.onMoved?.(checks.askNow)
  const limits = await createLimits({ redisUrl: config.REDIS_URL, siblings: machine.siblings, clock, log })
  const outbound = createOutbound({ allowedHosts: config.OUTBOUND_ALLOWED_HOSTS, log })
  const traces = await createTraces({ config, secrets, outbound, log, metrics })
  const jobs = createJobs({ pool, session, db, heldBack, log, tasks, role: config.SVC_ROLE, metrics, traces })
  const quotas = await createQuotas({ checks, clock, db, metrics, signals, tasks })
  const mail = createMail({
    db,
    sealer,
    clock,
    ids,
    jobs,
    log,
    metrics,
    quotas,
    smtp: smtpOf(config),
    from: config.SMTP_FROM,
  })
  const store = await openBlobStore(config, clock)
  const blobs = createBlobs({ store, db, clock, ids, jobs, log, failpoints })
  const expressions = createExpressions(log)
  const computing = options.computing ?? createCompute({ log, metrics, machine })
  const externalUrl = (config.SVC_URL ?? `http://localhost:${config.PORT}`).replace(/\/+$/, '')
  const loopWatch = options.watchesLoop ? reportBlocks({ log, metrics }) : undefined
  return {
    kernel: {
      config,
      secrets,
      externalUrl,
      passwordCost,
      drain,
      failpoints,
      machine,
      log,
      clock,
      ids,
      tasks,
      db,
      search: createSearch({ db }),
      signals,
      nodes,
      checks,
      audit,
      heldBack,
      limits,
      quotas,
      jobs,
      sealer,
      mail,
      outbound,
      blobs,
      children,
      metrics,
      traces,
      expressions,
      compute: computing.compute,
    },
    start: async (moduleJobs) => {
      for (const job of [...mail.jobs, ...blobs.jobs, ...quotas.jobs, ...moduleJobs]) jobs.register(job)
      signals.start()
      nodes.start(stopping.signal)
      quotas.start(stopping.signal)
      databaseClock.start(tasks, stopping.signal)
      await jobs.start()
    },
    beginStop: () => {
      drain.begin()
      jobs.drain()
    },
    stop: async (stopModules) => {
      isStopping = true
      stopping.abort()
      await stopEach(log, [
        () => jobs.stop({ drainMs: drain.remainingMs() }),
        stopModules,
        () => tasks.settle(Math.max(drain.remainingMs(), settleMs)),
        () => Promise.all([children.stop(), expressions.stop(), computing.stop(), loopWatch?.stop()]),
        () => traces.stop(),
        () => Promise.all([signals.stop(), outbound.close(), blobs.close()]),
      ])
      limits.close()
      closing.abort()
      await endPool(pool, { watch, log })
    },
  }
}

/** Work that is stuck, on a connection that fell silent for example, must not keep the process from ending. */
const endPool = async (pool: Pool, { watch, log }: { watch: PoolWatch; log: Log }): Promise<void> => {
  const ended = pool.end()
  if (await endsWithin(ended, poolEndMs)) return
  log.warn('Some database work did not end; its connections are cut.')
  watch.cutAll()
  await endsWithin(ended, poolEndMs)
}

const smtpOf = (config: Config) =>
  config.SMTP_HOST === undefined
    ? undefined
    : {
        host: config.SMTP_HOST,
        port: config.SMTP_PORT,
        secure: config.SMTP_SECURE,
        user: config.SMTP_USER,
        password: config.SMTP_PASSWORD,
      }
