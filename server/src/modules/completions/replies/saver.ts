/**
 * Writes a running reply down now and then: never twice at once, and the longer the text, the seldomer, so that the
 * bytes written stay in proportion to the bytes said. A write that fails is made up for by the next one.
 */
export interface Saver {
  /** There is something new. */
  touch(): void
  /** No more writes; resolves when the one in flight is over. */
  close(): Promise<void>
}

interface SaverOptions {
  everyMs: number
  /** How much there is to write. */
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
    touch: () => {
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
