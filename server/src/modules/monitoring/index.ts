/** Liveness, readiness and the deep check of a model. `/health` waits for nothing slower than its own short database check. */
import { Health, Readiness } from '@chancery/contract/health.ts'
import { AppError } from '#kernel/errors.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { Kernel, Module } from '#kernel/kernel.ts'
import type { Completions } from '#modules/completions/index.ts'
import { createDatabaseProbe } from './database-probe.ts'
import { deepCheckRoute } from './deep-check-route.ts'
import { metricsRoute, scrapeAccess } from './metrics-route.ts'

/** Port: something that must answer before this node takes traffic. */
export interface HealthProbe {
  name: string
  isWell(): Promise<boolean>
}

interface Options {
  kernel: Pick<Kernel, 'config' | 'db' | 'limits' | 'metrics'>
  completions: Pick<Completions, 'complete'>
  /** False once the process is on its way out. */
  isServing(): boolean
  /** Milliseconds that only ever grow; tests move them. */
  monotonicMs?: (() => number) | undefined
}

export const createMonitoring = (options: Options): Module => {
  const { kernel, completions, isServing, monotonicMs = () => performance.now() } = options
  const { config, db, limits, metrics } = kernel
  const database = createDatabaseProbe(db, monotonicMs)
  const all: HealthProbe[] = [
    { name: 'serving', isWell: async () => isServing() },
    { name: 'database', isWell: database.isWell },
    { name: 'limits', isWell: limits.ping },
  ]
  return {
    routes: [...healthRoutes(database), readyRoute(all), deepCheckRoute(completions), metricsRoute(metrics)],
    accessKinds: [scrapeAccess(config.METRICS_TOKEN)],
  }
}

const healthRoutes = (database: { isWell(): Promise<boolean> }): Route[] =>
  (['/health', '/health/db'] as const).map((path) =>
    route({
      method: 'GET',
      path,
      access: 'public',
      summary: path === '/health' ? 'Whether the service is up' : 'Whether the database answers',
      reply: Health,
      handle: async () => {
        if (!(await database.isWell())) throw new AppError('database_unavailable', { retryAfterSec: 2 })
        return { status: true as const }
      },
    }),
  )

const readyRoute = (probes: readonly HealthProbe[]): Route =>
  route({
    method: 'GET',
    path: '/ready',
    access: 'public',
    summary: 'Whether this node should get traffic',
    reply: Readiness,
    handle: async () => {
      const results = await Promise.all(probes.map(async ({ name, isWell }) => [name, await isWell()] as const))
      const missing = results.filter(([, isWell]) => !isWell).map(([name]) => name)
      if (missing.length > 0)
        throw new AppError('not_ready', { detail: `Not ready: ${missing.join(', ')}.`, retryAfterSec: 2 })
      return { status: true, checks: Object.fromEntries(results) }
    },
  })
