/** How a process ends: what was started is undone in reverse order, on a clean stop as on a failed start. */
import type { Log } from '#kernel/log.ts'

export type Cleanup = () => Promise<unknown>

/** Under npm one signal may arrive twice: from the terminal or the service manager, and again from npm. */
const echoMs = 1000

/** The first signal drains; a second one, or another one, does not wait. Answers whether there was one. */
export const stopOnSignal = (log: Log, cleanups: Cleanup[]): (() => boolean) => {
  let first: { signal: NodeJS.Signals; atMs: number } | undefined
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (first) {
      if (signal !== first.signal || performance.now() - first.atMs > echoMs) process.exit(130)
      return
    }
    first = { signal, atMs: performance.now() }
    log.info({ signal }, 'stopping')
    const isClean = await undo(cleanups)
    process.exit(isClean ? 0 : 1)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return () => first !== undefined
}

export const undo = async (cleanups: Cleanup[]): Promise<boolean> => {
  let isClean = true
  for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) {
    try {
      await cleanup()
    } catch (problem) {
      isClean = false
      process.stderr.write(`while stopping: ${(problem as Error).message}\n`)
    }
  }
  return isClean
}
