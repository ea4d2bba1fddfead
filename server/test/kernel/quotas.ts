/** Quotas of one node on a test's database. Overrides of other nodes don't reach it. */
import type { Clock } from '#kernel/clock.ts'
import { createChecks } from '#kernel/db/checks.ts'
import type { Db } from '#kernel/db/database.ts'
import { createSignals } from '#kernel/db/signals.ts'
import type { Log } from '#kernel/log.ts'
import { createMetrics } from '#kernel/metrics/index.ts'
import { createQuotas, type Quotas } from '#kernel/quotas/index.ts'
import { createTasks } from '#kernel/tasks.ts'

export const quotasFor = (
  { db, url }: { db: Db; url: string },
  { clock, log }: { clock: Clock; log: Log },
): Promise<Quotas> => {
  const metrics = createMetrics(log)
  const tasks = createTasks(log, metrics)
  const checks = createChecks({ db, tasks, signal: AbortSignal.abort() })
  return createQuotas({ checks, clock, db, metrics, tasks, signals: createSignals(url, log) })
}
