/**
 * Starting up leaves tens of megabytes of garbage and a young generation that has grown while modules were loaded. V8
 * releases neither until memory runs short. Compacting the heap once keeps an idle server small, and under load the
 * young generation can still grow to the size that makes requests cheap (docs/decisions/0011).
 */
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
const delaysMs = [2000, 8000]

export const compactHeapOnceStarted = (): void => {
  for (const delayMs of delaysMs) setTimeout(compactHeap, delayMs).unref()
}
