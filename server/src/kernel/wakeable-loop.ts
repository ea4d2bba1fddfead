/**
 * Background work that runs when someone signals there may be some. One pass runs at a time; a wake during a pass makes
 * another pass follow, so no signal is lost. A pass that throws ends the loop until the next wake.
 */
import { inSpan } from './spans/span.ts'
import type { Tasks } from './tasks.ts'

export interface WakeableLoop {
  wake(): void
}

interface Options {
  /** As the task is called in logs and failure counts. */
  name: string
  tasks: Pick<Tasks, 'run'>
  signal: AbortSignal
  /** Resolves to whether another pass should follow at once. */
  pass(): Promise<boolean>
}

export const createWakeableLoop = ({ name, tasks, signal, pass }: Options): WakeableLoop => {
  let isRunning = false
  let isWoken = false

  const run = async (): Promise<void> => {
    try {
      while (isWoken && !signal.aborted) {
        isWoken = false
        const hasMore = await pass()
        isWoken ||= hasMore
      }
    } finally {
      isRunning = false
    }
  }
  return {
    wake: () => {
      isWoken = true
      if (isRunning || signal.aborted) return
      isRunning = true
      inSpan(undefined, () => tasks.run(name, run))
    },
  }
}
