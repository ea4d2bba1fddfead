/**
 * Starting up leaves tens of megabytes of garbage and a young generation that has grown while modules were loaded. V8
 * releases neither until memory runs short. Compacting the heap once keeps an idle server small, and under load the
 * young generation can still grow to the size that makes requests cheap (docs/decisions/0011).
 */
import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

const collector = (): Collect => {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as Collect
}

export const compactHeap = (): void => collector()({ type: 'major', execution: 'sync', flavor: 'last-resort' })

/**
 * Soon, and again when the work that follows the start (schedules, the first model lists) is done. A process that ends
 * sooner doesn't pay for it.
 */
const usualDelaysMs = [2000, 8000]

/** A process that has worked for this share of the time since its start counts as busy. Without requests it is 3 %. */
const busyShare = 0.1

/**
 * Not in a process that is busy already: it collects its garbage itself, and requests would be slower from then on, by
 * 5 % as long as the process lives (docs/decisions/0011).
 */
export const compactHeapOnceStarted = (delaysMs: readonly number[] = usualDelaysMs): void => {
  const atStart = performance.eventLoopUtilization()
  const compactIfIdle = () => {
    if (performance.eventLoopUtilization(atStart).utilization < busyShare) compactHeap()
  }
  for (const delayMs of delaysMs) setTimeout(compactIfIdle, delayMs).unref()
}
