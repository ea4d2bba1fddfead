/**
 * Background jobs on pg-boss, in our own database and our own transactions.
 *
 * Promises: a job enqueued in a transaction exists exactly when it commits, and a worker has it within milliseconds.
 * A failed attempt is retried with growing delays, then kept among the dead letters. When a process dies, its jobs are
 * claimed by another once their heartbeat has lapsed. A handler may therefore run more than once and must be idempotent.
 */
import type pg from 'pg'
import { PgBoss } from 'pg-boss'
import type { Db } from '../db/database.ts'
import type { Page } from '../db/paging.ts'
import { endsWithin } from '../ends-within.ts'
import type { HeldBack } from '../held-back/held-back.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics/index.ts'
import { activeSpan } from '../spans/span.ts'
import { contextOf } from '../spans/trace-context.ts'
import type { Tasks } from '../tasks.ts'
import { noTraces, type Traces } from '../traces/traces.ts'
import { bossOnPool, bossOnTransaction } from './boss-database.ts'
import { watchDueJobs } from './due-jobs.ts'
import { type FailedJob, listFailedJobsUnscoped } from './failed-jobs.ts'
import { createHoldDeadly } from './hold-deadly.ts'
import type { JobDefinition } from './job.ts'
import { createJobMetrics } from './job-metrics.ts'
import { deadLetterQueue, prepareQueues, prepareTimetables } from './queues.ts'
import { reportTo } from './reports.ts'
import { createWaker, endWorkers } from './workers.ts'

export {
  ClaimedElsewhere,
  defineJob,
  type HeldJob,
  type JobContext,
  type JobDefinition,
  PermanentFailure,
} from './job.ts'

interface EnqueueOptions {
  startAfter?: Date
  /** With the job's policy: a second one of the same key is not made. */
  singletonKey?: string
  /** Higher goes first; defaults to 0. */
  priority?: number
  /** Whose work it is, for a job that runs a limited number of one group's at once. */
  group?: string
}

export interface Jobs {
  /** Before `start`; every role registers all jobs, since enqueueing needs their queues. */
  register(job: JobDefinition): void
  /** Returns the job's id, or null where the job's policy allows no further one. */
  enqueue<Data extends object>(
    db: Db,
    job: JobDefinition<Data>,
    data: NoInfer<Data>,
    options?: EnqueueOptions,
  ): Promise<string | null>
  listFailed(db: Db, page: Page): Promise<{ items: FailedJob[]; total: number }>
  /** Puts a dead letter back into its queue; false when there is none of this id. */
  retryFailed(db: Db, id: string): Promise<boolean>
  start(): Promise<void>
  /** No worker takes another job. */
  drain(): void
  /**
   * Waits for running handlers and aborts their signals after `drainMs`. A handler that hasn't ended `graceMs` later is
   * given up. What is cut off is retried elsewhere.
   */
  stop(options: { drainMs: number; graceMs?: number }): Promise<void>
}

interface Options {
  pool: pg.Pool
  /** Where a connection has a session of its own, to listen; the pool's address unless given. */
  session?: pg.ClientConfig
  db: Db
  heldBack: HeldBack
  log: Log
  tasks: Pick<Tasks, 'every' | 'run'>
  metrics: Metrics
  traces?: Traces
  /** `api` only enqueues. */
  role: 'all' | 'api' | 'worker'
  /** Seconds between checks for due jobs, due schedules and dead workers, and until a queue's next slot opens. */
  timing?: { pollSec: number; cronSec: number; superviseSec: number; nextSlotSec: number }
}

const usualGraceMs = 1000

/** Each check for due schedules evaluates all of them, which was the largest part of what an idle server cost. */
const usualTiming = { pollSec: 3, cronSec: 15, superviseSec: 10, nextSlotSec: 2 }

type Listeners = Parameters<typeof bossOnPool>[2]

const createBoss = (
  { pool, session = pool.options, log, role, timing = usualTiming }: Options,
  listeners: Listeners,
): PgBoss => {
  const isWorker = role !== 'api'
  const boss = new PgBoss({
    db: bossOnPool({ pool, session }, log, listeners),
    useListenNotify: isWorker,
    schedule: isWorker,
    supervise: isWorker,
    cronMonitorIntervalSeconds: timing.cronSec,
    cronWorkerIntervalSeconds: 1,
    superviseIntervalSeconds: timing.superviseSec,
    monitorIntervalSeconds: timing.superviseSec,
    maintenanceIntervalSeconds: 3600,
    // Dependencies between jobs, which we do not use.
    flowIntervalSeconds: 3600,
  })
  reportTo(log, boss)
  return boss
}

export const createJobs = (options: Options): Jobs => {
  const { pool, db, heldBack, log, tasks, role, traces = noTraces, timing = usualTiming } = options
  const definitions = new Map<string, JobDefinition>()
  /** Wakes the workers of each queue, by its name. */
  const wakers = new Map<string, () => void>()
  let lookForDueJobs = (): void => undefined
  const boss = createBoss(options, {
    onJob: (queue) => wakers.get(queue)?.(),
    onListening: () => lookForDueJobs(),
  })
  /** Aborted when the stop begins; `stopping` only where running handlers must end. */
  const closing = new AbortController()
  const stopping = new AbortController()
  const onAttempt = createJobMetrics(options.metrics, pool)
  const holdDeadly = createHoldDeadly({
    db,
    heldBack,
    log,
    definitions,
    enqueue: async (tx, { name }, { data, singletonKey }) =>
      void (await boss.send(name, data, { db: bossOnTransaction(tx), ...(singletonKey !== null && { singletonKey }) })),
  })
  let ended: Promise<void> | undefined
  const drain = (): Promise<void> => {
    closing.abort()
    ended ??= endWorkers(boss, [...definitions.values()])
    return ended
  }

  return {
    register(job) {
      if (definitions.has(job.name)) throw new Error(`Two jobs are called ${job.name}.`)
      definitions.set(job.name, job)
    },
    enqueue: async (db, job, data, { startAfter, singletonKey, priority, group } = {}) => {
      const id = await boss.send(job.name, job.parse(data), {
        db: bossOnTransaction(db),
        ...(startAfter && { startAfter }),
        ...(singletonKey !== undefined && { singletonKey }),
        ...(priority !== undefined && { priority }),
        ...(group !== undefined && { group: { id: group } }),
      })
      if (id !== null) activeSpan()?.link(contextOf(id))
      return id
    },
    listFailed: listFailedJobsUnscoped,
    retryFailed: async (db, id) =>
      (await boss.redrive(deadLetterQueue, { ids: [id], db: bossOnTransaction(db) })) === 1,

    async start() {
      const all = [...definitions.values()]
      await boss.start()
      await prepareQueues(boss, all)
      await prepareTimetables(boss, all)
      if (role === 'api') return
      const nextSlotMs = timing.nextSlotSec * 1000
      const workshop = {
        boss,
        log,
        nextSlotMs,
        closing: closing.signal,
        stopping: stopping.signal,
        onAttempt,
        holdDeadly,
        traces,
      }
      for (const job of all) wakers.set(job.name, createWaker(workshop, job))
      const everyMs = timing.superviseSec * 1000
      tasks.every('jobs.deaths', { everyMs, signal: closing.signal }, holdDeadly.countDeadLetters)
      lookForDueJobs = watchDueJobs({ pool, tasks, everySec: timing.pollSec, signal: closing.signal, wakers })
    },
    drain: () => void drain(),
    async stop({ drainMs, graceMs = usualGraceMs }) {
      const ended = drain()
      if (!(await endsWithin(ended, drainMs))) {
        log.warn('Jobs are cut off by the stop; they will be tried again.')
        stopping.abort()
        await endsWithin(ended, graceMs)
      }
      // Marks what still runs as failed, so that another node retries it without waiting for a heartbeat to lapse.
      await boss.stop({ graceful: false })
      await endsWithin(ended, graceMs)
    },
  }
}
