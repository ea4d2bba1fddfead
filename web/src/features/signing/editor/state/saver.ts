/**
 * Saves in the background: a moment after the last change, one request at a time, and only the newest state. A failed
 * save is tried again with the next change or when somebody asks for it.
 */

export type SaveStatus = 'saved' | 'saving' | 'failed' | 'conflict'

interface SaverOptions<State> {
  save: (state: State) => Promise<void>
  onStatus: (status: SaveStatus, error?: unknown) => void
  /** True if somebody else saved in the meantime: nothing is tried again until the person has decided. */
  isConflict?: (error: unknown) => boolean
  waitMs: number
}

export interface Saver<State> {
  change: (state: State) => void
  /** Resolves once everything is saved; rejects with the failure. */
  flush: () => Promise<void>
  /** Gives up what is not saved yet. */
  discard: () => void
  stop: () => void
}

export function createSaver<State>({ save, onStatus, isConflict, waitMs }: SaverOptions<State>): Saver<State> {
  let pending: { state: State } | undefined
  let running: Promise<void> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const run = async (): Promise<void> => {
    while (pending) {
      const { state } = pending
      pending = undefined
      onStatus('saving')
      try {
        await save(state)
      } catch (error) {
        // The failed state stays to be saved, unless a newer one waits already.
        pending ??= { state }
        onStatus(isConflict?.(error) ? 'conflict' : 'failed', error)
        throw error
      }
    }
    onStatus('saved')
  }
  const flush = async (): Promise<void> => {
    clearTimeout(timer)
    // A request on its way may hold an older state.
    await running?.catch(() => undefined)
    if (pending === undefined) return
    running = run().finally(() => {
      running = undefined
    })
    await running
  }
  return {
    flush,
    change: (state) => {
      pending = { state }
      onStatus('saving')
      clearTimeout(timer)
      timer = setTimeout(() => flush().catch(() => undefined), waitMs)
    },
    discard: () => {
      clearTimeout(timer)
      pending = undefined
      onStatus('saved')
    },
    stop: () => {
      clearTimeout(timer)
      if (pending) flush().catch(() => undefined)
    },
  }
}
