/**
 * Saves a running reply at intervals: never twice at once, and less often the longer the text is, so that the bytes
 * written stay in proportion to the text. If a write fails, the next one saves everything.
 */
export interface Saver {
  /** There is something new to save. */
  markChanged(): void
  /** No more writes; resolves when the one in flight is over. */
  close(): Promise<void>
}

interface SaverOptions {
  everyMs: number
  /** The length of what has to be written. */
  length(): number
  save(): Promise<void>
}

const charsPerMs = 50

export const createSaver = ({ everyMs, length, save }: SaverOptions): Saver => {
  let timer: NodeJS.Timeout | undefined
  let inFlight: Promise<void> | undefined
  let isDirty = false
  let isClosed = false

  const write = async (): Promise<void> => {
    isDirty = false
    await save()
  }
  const schedule = (): void => {
    if (isClosed || timer || inFlight || !isDirty) return
    timer = setTimeout(run, Math.max(everyMs, length() / charsPerMs))
    timer.unref()
  }
  const run = (): void => {
    timer = undefined
    inFlight = write().finally(() => {
      inFlight = undefined
      schedule()
    })
  }
  return {
    markChanged: () => {
      isDirty = true
      schedule()
    },
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await inFlight
    },
  }
}
