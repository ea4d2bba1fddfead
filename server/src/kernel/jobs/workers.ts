/** Runs handlers: one pg-boss worker per slot of a job's concurrency, each taking one job at a time. */
import type { Job, JobResult, PgBoss } from 'pg-boss'
import type { Log } from '../log.ts'
import { type JobDefinition, PermanentFailure } from './job.ts'
import type { OnAttempt } from './job-metrics.ts'

interface Workshop {
  boss: PgBoss
  log: Log
  /** Retries and delayed jobs aren't announced: the longest they may wait to be noticed. */
  pollSec: number
  /** Aborted when running handlers must end now. */
  stopping: AbortSignal
  onAttempt: OnAttempt
}

/**
 * A second slot polls rarely: it is woken by notifications, and by the first slot while that one works. So does a job
 * with a timetable: it is announced when it is due, and its retries are not urgent.
 */
const rarePollSec = 60

export const startWorkers = async (workshop: Workshop, definition: JobDefinition): Promise<void> => {
  const { boss, pollSec } = workshop
  const workers: string[] = []
  // More jobs may be due, and otherwise a worker would wait for its next poll after each one.
  const wakeAll = (): void => workers.forEach((worker) => void boss.notifyWorker(worker))
  for (let slot = 0; slot < definition.concurrency; slot++) {
    const everySec = slot === 0 && !definition.timetable ? pollSec : rarePollSec
    const options = {
      perJobResults: true,
      pollingIntervalSeconds: everySec,
      notifyPollingIntervalSeconds: everySec,
    } as const
    workers[slot] = await boss.work<object, JobResult[], typeof options>(definition.name, options, async (jobs) => {
      wakeAll()
      const looking = slot === 0 ? setInterval(wakeAll, pollSec * 1000) : undefined
      try {
        return await Promise.all(jobs.map((job) => attempt(workshop, definition, job)))
      } finally {
        clearInterval(looking)
      }
    })
  }
}

/** Never throws: it returns the outcome, and the stored error is a short text rather than a whole error object. */
const attempt = async (workshop: Workshop, definition: JobDefinition, job: Job<object>): Promise<JobResult> => {
  const number = job.retryCount + 1
  const log = workshop.log.child({ job: definition.name, jobId: job.id, attempt: number })
  const end = workshop.onAttempt(definition.name)
  try {
    const signal = AbortSignal.any([job.signal, workshop.stopping])
    await definition.work(job.data, { jobId: job.id, attempt: number, signal, log })
    end('completed')
    return { id: job.id, status: 'completed' }
  } catch (error) {
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
