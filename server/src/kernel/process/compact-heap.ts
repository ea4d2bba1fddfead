/**
 * Starting up leaves tens of megabytes that nothing needs any more, and a young generation grown as if the server would
 * always load modules. V8 keeps both for itself until memory runs short. Given back once, an idle office stays small,
 * and under load the young generation may still grow to what makes requests cheap (docs/decisions/0011).
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

const collector = (): Collect => {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as Collect
}

export const compactHeap = (): void => collector()({ type: 'major', execution: 'sync', flavor: 'last-resort' })

/** At once, and again when what begins after the start (schedules, the first look at models) has settled. */
const settledMs = 8000

export const compactHeapOnceStarted = (): void => {
  compactHeap()
  setTimeout(compactHeap, settledMs).unref()
}
