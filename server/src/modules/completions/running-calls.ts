/** Calls that belong to a connection and not to a chat, so that a stopping server can end the ones still open. */
import type { ByteFlow } from '#kernel/bytes/byte-flow.ts'
import { endsWithin } from '#kernel/ends-within.ts'
import { AppError } from '#kernel/errors.ts'

export interface RunningCalls {
  /** Counts the flow as running until it closes. */
  watch(flow: ByteFlow): void
  /** The same for a generator: until its last piece is read, or its reader leaves. */
  hold<Piece>(pieces: AsyncGenerator<Piece>): AsyncGenerator<Piece>
  /** How many are under way. */
  readonly count: number
  /** Aborted when a stopping server can't wait any longer. */
  readonly signal: AbortSignal
  /** Waits this long for calls to end by themselves, then ends the rest with an error. */
  drain(patienceMs: number): Promise<void>
}

export const createRunningCalls = (): RunningCalls => {
  const flows = new Set<ByteFlow>()
  const ending = new AbortController()
  let held = 0
  let onIdle: (() => void) | undefined
  const checkIdle = (): void => {
    if (flows.size + held === 0) onIdle?.()
  }
  const idle = (): Promise<void> =>
    new Promise((resolve) => {
      onIdle = resolve
      checkIdle()
    })
  const end = (flow: ByteFlow): void => flow.close(new AppError('reply_interrupted'))
  return {
    signal: ending.signal,
    get count() {
      return flows.size + held
    },
    watch: (flow) => {
      flows.add(flow)
      flow.onClosed(() => {
        flows.delete(flow)
        checkIdle()
      })
      if (ending.signal.aborted) end(flow)
    },
    hold: async function* (pieces) {
      held += 1
      try {
        yield* pieces
      } finally {
        held -= 1
        checkIdle()
      }
    },
    drain: async (patienceMs) => {
      await endsWithin(idle(), patienceMs)
      ending.abort(new AppError('reply_interrupted'))
      for (const flow of flows) end(flow)
    },
  }
}
