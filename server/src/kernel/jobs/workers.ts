/**
 * Runs handlers: one pg-boss worker per slot of a job's concurrency, each taking one job at a time. Every worker asks the
 * database when it starts and every ten minutes, and most jobs are rare, so a queue has none until its first job comes.
 * Its slots open one by one, so that a node which starts amid a backlog doesn't take everything at once.
 */
import type { Job, JobResult, PgBoss } from 'pg-boss'
import type { Log } from '../log.ts'
import { withMark } from '../loop-watch/mark.ts'
import { inSpan } from '../spans/span.ts'
import { spanIdOf, traceIdOf } from '../spans/trace-context.ts'
import type { Traces } from '../traces/traces.ts'
import type { HoldDeadly } from './hold-deadly.ts'
import { ClaimedElsewhere, type JobDefinition, PermanentFailure } from './job.ts'
import type { OnAttempt } from './job-metrics.ts'

interface Workshop {
  boss: PgBoss
  log: Log
  /** Aborted when the stop begins: no worker is started any more. */
  closing: AbortSignal
  /** Aborted when running handlers must end now. */
  stopping: AbortSignal
  /** The next slot of a queue opens when an attempt has ended, or after this time. */
  nextSlotMs: number
  onAttempt: OnAttempt
  holdDeadly: HoldDeadly
  traces: Traces
}

/** Workers are woken: by announcements, by `watchDueJobs`, and by each other. A poll is for what went wrong with these. */
const pollSec = 600

const usual = {
  perJobResults: true,
  pollingIntervalSeconds: pollSec,
  notifyPollingIntervalSeconds: pollSec,
} as const

/** Returns what to call when a job may be due: it wakes the queue's workers, or starts the first one. */
export const createWaker = (workshop: Workshop, definition: JobDefinition): (() => void) => {
  const { boss, closing, log, nextSlotMs } = workshop
  const { perGroup } = definition
  const options = { ...usual, ...(perGroup !== undefined && { localGroupConcurrency: perGroup }) }
  const workers: string[] = []
  let slots = 0
  const wakeAll = (): void => workers.forEach((worker) => void boss.notifyWorker(worker))
  const startOne = async (): Promise<void> => {
    const worker = await boss.work<object, JobResult[], typeof options>(definition.name, options, async (jobs) => {
      // More jobs may be due, and otherwise a worker would wait to be woken after each one.
      wakeAll()
      const opening = setTimeout(openSlot, nextSlotMs)
      try {
        return await Promise.all(jobs.map((job) => attempt(workshop, definition, job)))
      } finally {
        clearTimeout(opening)
        openSlot()
      }
    })
    workers.push(worker)
  }
  /** A worker looks for jobs as soon as it is started. */
  const openSlot = (): void => {
    if (slots >= definition.concurrency || closing.aborted) return
    slots += 1
    startOne().catch((problem: unknown) => {
      slots -= 1
      log.warn({ err: problem, job: definition.name }, 'No worker could be started; it is tried again.')
    })
  }
  return () => {
    if (slots > 0) wakeAll()
    else openSlot()
  }
}

/** Who enqueued it knows its id, and with that its trace. */
const attempt = async (workshop: Workshop, definition: JobDefinition, job: Job<object>): Promise<JobResult> => {
  const span = workshop.traces.begin(`job ${definition.name}`, {
    kind: 'consumer',
    traceId: traceIdOf(job.id),
    spanId: job.retryCount === 0 ? spanIdOf(job.id) : undefined,
  })
  span?.set({ 'chancery.job.name': definition.name, 'chancery.job.id': job.id, 'chancery.attempt': job.retryCount + 1 })
  const result = await inSpan(span, () => tryOnce(workshop, definition, job))
  span?.end(result.status === 'completed' ? {} : { problem: result.status })
  return result
}

/** Never throws: it returns the outcome, and the stored error is a short text rather than a whole error object. */
const tryOnce = async (workshop: Workshop, definition: JobDefinition, job: Job<object>): Promise<JobResult> => {
  const number = job.retryCount + 1
  const log = workshop.log.child({ job: definition.name, jobId: job.id, attempt: number })
  const end = workshop.onAttempt(definition.name)
  try {
    const signal = AbortSignal.any([job.signal, workshop.stopping])
    const call = { jobId: job.id, attempt: number, signal, log }
    const isDone = await workshop.holdDeadly.attempt(definition, job, () => {
      signal.throwIfAborted()
      return withMark({ what: `job ${definition.name}` }, () => definition.work(job.data, call))
    })
    end(isDone ? 'completed' : 'held')
    return { id: job.id, status: 'completed' }
  } catch (error) {
    if (error instanceof ClaimedElsewhere && error.isEnough) {
      end('completed')
      return { id: job.id, status: 'completed' }
    }
    const isHopeless = error instanceof PermanentFailure
    const isLast = isHopeless || number > definition.queue.retryLimit
    end(isLast ? 'dead' : 'retried')
    if (isLast) log.error({ err: error }, 'The job failed permanently.')
    else log.warn({ err: error }, 'The job failed and will be tried again.')
    return { id: job.id, status: isHopeless ? 'deadletter' : 'failed', output: { message: shortMessage(error) } }
  }
}

const shortMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 500)

/** No worker takes another job; resolves when the running ones have ended. */
export const endWorkers = async (boss: PgBoss, definitions: readonly JobDefinition[]): Promise<void> => {
  await Promise.all(definitions.map(({ name }) => boss.offWork(name, { wait: true })))
}
