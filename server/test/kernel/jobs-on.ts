/** Jobs on a pool of their own, with what they need beside it. */
import type pg from 'pg'
import { createAudit } from '#kernel/audit/audit.ts'
import { createDb } from '#kernel/db/database.ts'
import { createHeldBack } from '#kernel/held-back/held-back.ts'
import { systemIds } from '#kernel/ids.ts'
import { createJobs } from '#kernel/jobs/jobs.ts'
import type { Log } from '#kernel/log.ts'
import { createMetrics } from '#kernel/metrics/index.ts'
import { createTasks } from '#kernel/tasks.ts'

type Options = Pick<Parameters<typeof createJobs>[0], 'role' | 'timing'> & { log: Log }

export const jobsOn = (pool: pg.Pool, { log, ...options }: Options) => {
  const db = createDb(pool)
  const metrics = createMetrics(log)
  const clock = { now: () => new Date() }
  const heldBack = createHeldBack({ db, clock, audit: createAudit({ clock, ids: systemIds }), metrics })
  return { heldBack, jobs: createJobs({ pool, db, heldBack, log, tasks: createTasks(log), metrics, ...options }) }
}
