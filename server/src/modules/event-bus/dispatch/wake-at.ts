/** Wakes at a time, once; the last time that was named counts. */
export const wakeAt = (signal: AbortSignal, wake: () => void): ((timeMs: number | undefined) => void) => {
  let timer: NodeJS.Timeout | undefined
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  return (timeMs) => {
    clearTimeout(timer)
    if (timeMs !== undefined && !signal.aborted)
      timer = setTimeout(wake, Math.ceil(Math.max(0, timeMs - performance.now())))
  }
}
