/**
 * Supervised background work. Whatever is not awaited by its caller runs through here: a failure is logged and
 * counted, and a stopping server can wait for what is still in flight.
 */
import { endsWithin } from './ends-within.ts'
import type { Log } from './log.ts'
import { withMark } from './loop-watch/mark.ts'
import type { Metrics } from './metrics/index.ts'
import { inSpan } from './spans/span.ts'

interface Interval {
  everyMs: number
  /** Ends the interval; work that has begun is handed the same signal and may finish. */
  signal: AbortSignal
}

export interface Tasks {
  /** Starts the work and returns at once. It never throws: a failure goes to the log and the count. */
  run(name: string, work: () => Promise<unknown>): void
  /** Repeats the work, first after one interval. The next wait begins when the last run has ended. */
  every(name: string, interval: Interval, work: (signal: AbortSignal) => Promise<unknown>): void
  /** Waits until nothing is in flight; false when the time ran out first. */
  settle(timeoutMs: number): Promise<boolean>
  /** The number of failures of this work since the start. */
  failuresOf(name: string): number
}

export const createTasks = (log: Log, metrics?: Pick<Metrics, 'counter'>): Tasks => {
  const failed = metrics?.counter({
    name: 'chancery_task_failures_total',
    help: 'Background work that failed, by its name.',
    labels: ['task'],
  })
  const inFlight = new Set<Promise<void>>()
  const failures = new Map<string, number>()

  const supervise = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      failures.set(name, (failures.get(name) ?? 0) + 1)
      failed?.of(name).add()
      log.error({ err: error, task: name }, 'Background work failed.')
    }
  }

  const run: Tasks['run'] = (name, work) => {
    // Not that of the request that started it: the work is not for that one alone.
    const running = withMark({ what: `task ${name}` }, () => supervise(name, work)).finally(() =>
      inFlight.delete(running),
    )
    inFlight.add(running)
  }

  const every: Tasks['every'] = (name, { everyMs, signal }, work) => {
    const again = () => {
      if (signal.aborted) return
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', cancel)
        run(name, async () => {
          try {
            await work(signal)
          } finally {
            again()
          }
        })
      }, everyMs)
      timer.unref()
      const cancel = () => clearTimeout(timer)
      signal.addEventListener('abort', cancel, { once: true })
    }
    // Whoever happened to start it: it goes on when their request has ended.
    inSpan(undefined, again)
  }

  const settle: Tasks['settle'] = async (timeoutMs) => {
    const deadlineMs = performance.now() + timeoutMs
    // In rounds, because work in flight may start more.
    while (inFlight.size > 0)
      if (!(await endsWithin(Promise.all(inFlight), deadlineMs - performance.now()))) return false
    return true
  }

  return { run, every, settle, failuresOf: (name) => failures.get(name) ?? 0 }
}
