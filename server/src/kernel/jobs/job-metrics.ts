/** Job metrics: attempts by outcome and duration, and the depth and age of the queues. */
import type pg from 'pg'
import { type Metrics, shareReading } from '../metrics/index.ts'

/** Called when an attempt begins; what it returns is called when it ends. */
export type OnAttempt = (job: string) => (outcome: 'completed' | 'retried' | 'dead' | 'held') => void

interface Waiting {
  name: string
  count: number
  ageSec: number
}

export const createJobMetrics = (metrics: Metrics, pool: pg.Pool): OnAttempt => {
  const attempts = metrics.counter({
    name: 'chancery_job_attempts_total',
    help: 'Attempts of jobs by outcome.',
    labels: ['job', 'outcome'],
  })
  const durations = metrics.histogram({
    name: 'chancery_job_duration_seconds',
    help: 'How long an attempt took.',
    labels: ['job'],
    buckets: [0.1, 1, 10, 60, 600],
  })
  const countDue = shareReading(() => countDueJobsUnscoped(pool))
  metrics.gauge({
    name: 'chancery_job_queue_depth',
    isShared: true,
    help: 'Jobs that are due and not yet worked on.',
    labels: ['job'],
    read: async () => (await countDue()).map(({ name, count }) => [[name], count]),
  })
  metrics.gauge({
    name: 'chancery_job_queue_age_seconds',
    isShared: true,
    help: 'For how long the oldest of them has been due.',
    labels: ['job'],
    read: async () => (await countDue()).map(({ name, ageSec }) => [[name], ageSec]),
  })
  return (job) => {
    const startedAt = performance.now()
    return (outcome) => {
      attempts.of(job, outcome).add()
      durations.of(job).observe((performance.now() - startedAt) / 1000)
    }
  }
}

/** The dead letters wait for a person and are no queue. */
const countDueJobsUnscoped = async (pool: pg.Pool): Promise<Waiting[]> => {
  const { rows } = await pool.query<Waiting>(`
    select name, count(*) as count, extract(epoch from now() - min(start_after))::float8 as "ageSec"
    from pgboss.job where state in ('created', 'retry') and start_after <= now() and name <> 'jobs.dead'
    group by name`)
  return rows
}
