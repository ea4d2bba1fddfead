/** Liveness, readiness and the deep check of a model. `/health` waits for nothing slower than its own short database check. */
import './tables.ts'
import * as endpoints from '@chancery/contract/endpoints/platform.ts'
import { sql } from 'kysely'
import { AppError } from '#kernel/errors.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { Kernel, Module } from '#kernel/kernel.ts'
import type { Completions } from '#modules/completions/index.ts'
import { apiDescriptionRoute } from './api-description-route.ts'
import type { MonitoringConfig } from './config.ts'
import { deepCheckRoute } from './deep-check-route.ts'
import { metricsRoute, scrapeAccess } from './metrics-route.ts'
import { createProbe, type Probe } from './probe.ts'
import { reportDatabase } from './status/database-gauges.ts'
import { rollUpJob } from './status/roll-up.ts'
import { statusRoute } from './status/route.ts'
import { createSampling, lookEveryMs } from './status/take-samples.ts'

interface Named extends Probe {
  name: string
}

interface Options {
  kernel: Kernel<MonitoringConfig & { SVC_CURRENCY: string }>
  completions: Pick<Completions, 'complete'>
  /** False once the process is on its way out. */
  isServing(): boolean
  /** Milliseconds that only ever grow; tests move them. */
  monotonicMs?: (() => number) | undefined
}

/** S3 counts requests as costs. */
const storeFreshMs = 10_000

export const createMonitoring = (options: Options): Module => {
  const { kernel, completions, isServing, monotonicMs = () => performance.now() } = options
  const { blobs, config, db, limits, metrics, tasks } = kernel
  const database = createProbe(() => sql`select 1`.execute(db), { monotonicMs })
  const needed = [
    { name: 'serving', isWell: async () => isServing() },
    { name: 'database', ...database },
  ]
  const optional: Named[] = [
    ...(config.REDIS_URL === undefined ? [] : [{ name: 'redis', isWell: limits.ping }]),
    ...(config.S3_ENDPOINT === undefined
      ? []
      : [{ name: 's3', ...createProbe(() => blobs.ping(), { monotonicMs, freshMs: storeFreshMs }) }]),
  ]
  metrics.gauge({
    name: 'chancery_degraded',
    isShared: true,
    help: 'Whether something is away without which this node works on: 1 while it is.',
    labels: ['dependency'],
    read: async () => (await ask(optional)).map(([name, isWell]) => [[name], isWell ? 0 : 1]),
  })
  reportDatabase(kernel)
  const sample = createSampling(kernel)
  return {
    routes: [
      ...healthRoutes(database),
      readyRoute({ needed, optional }),
      deepCheckRoute(completions),
      metricsRoute(metrics),
      apiDescriptionRoute(),
      statusRoute(kernel),
    ],
    jobs: [rollUpJob(kernel)],
    start: (signal) => tasks.every('monitoring.sample', { everyMs: lookEveryMs, signal }, sample),
    accessKinds: [scrapeAccess(config.METRICS_TOKEN)],
  }
}

const healthRoutes = (database: { isWell(): Promise<boolean> }): Route[] =>
  (['/health', '/health/db'] as const).map((path) =>
    route({
      ...endpoints.getHealth,
      path,
      access: 'public',
      summary: path === '/health' ? 'Whether the service is up' : 'Whether the database answers',
      handle: async () => {
        if (!(await database.isWell())) throw new AppError('database_unavailable', { retryAfterSec: 2 })
        return { status: true as const }
      },
    }),
  )

const ask = (probes: readonly Named[]): Promise<[string, boolean][]> =>
  Promise.all(probes.map(async ({ name, isWell }) => [name, await isWell()]))

const missingAmong = (results: readonly [string, boolean][]): string[] =>
  results.filter(([, isWell]) => !isWell).map(([name]) => name)

const readyRoute = ({ needed, optional }: { needed: readonly Named[]; optional: readonly Named[] }): Route =>
  route({
    ...endpoints.getReadiness,
    access: 'public',
    summary: 'Whether this node should get traffic',
    handle: async () => {
      const [results, others] = await Promise.all([ask(needed), ask(optional)])
      const missing = missingAmong(results)
      const degraded = missingAmong(others)
      if (missing.length > 0)
        throw new AppError('not_ready', { detail: `Not ready: ${missing.join(', ')}.`, retryAfterSec: 2 })
      // Shared rate limits are Redis where it is set.
      const checks = { ...Object.fromEntries(results), limits: !degraded.includes('redis') }
      return { ready: true as const, degraded, status: true, checks }
    },
  })
