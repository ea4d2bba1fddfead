/** Work that is done when somebody says there may be some, one pass at a time, and again if they say so meanwhile. */
import type { Tasks } from '#kernel/tasks.ts'

export interface WokenLoop {
  wake(): void
}

interface Options {
  name: string
  tasks: Tasks
  signal: AbortSignal
  /** One pass. Answers whether another should follow at once. */
  pass(): Promise<boolean>
}

export const createWokenLoop = ({ name, tasks, signal, pass }: Options): WokenLoop => {
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
      tasks.run(name, run)
    },
  }
}
