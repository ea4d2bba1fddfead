/** Calls that belong to a connection and not to a chat, so that a stopping server can end those that do not end. */
import type { ByteFlow } from '#kernel/bytes/byte-flow.ts'
import { endsWithin } from '#kernel/ends-within.ts'
import { AppError } from '#kernel/errors.ts'

export interface RunningCalls {
  /** Until it closes by itself. */
  watch(flow: ByteFlow): void
  /** The same for what is made piece by piece: until its last piece is taken, or its reader leaves. */
  hold<Piece>(pieces: AsyncGenerator<Piece>): AsyncGenerator<Piece>
  /** Aborted when the server cannot wait any longer. */
  readonly signal: AbortSignal
  /** Waits so long for calls to end by themselves, then ends the rest with an error. */
  drain(patienceMs: number): Promise<void>
}

export const createRunningCalls = (): RunningCalls => {
  const flows = new Set<ByteFlow>()
  const ending = new AbortController()
  let held = 0
  let onIdle: (() => void) | undefined
  const lookForIdle = (): void => {
    if (flows.size + held === 0) onIdle?.()
  }
  const idle = (): Promise<void> =>
    new Promise((resolve) => {
      onIdle = resolve
      lookForIdle()
    })
  const end = (flow: ByteFlow): void => flow.close(new AppError('reply_interrupted'))
  return {
    signal: ending.signal,
    watch: (flow) => {
      flows.add(flow)
      flow.whenClosed(() => {
        flows.delete(flow)
        lookForIdle()
      })
      if (ending.signal.aborted) end(flow)
    },
    hold: async function* (pieces) {
      held += 1
      try {
        yield* pieces
      } finally {
        held -= 1
        lookForIdle()
      }
    },
    drain: async (patienceMs) => {
      await endsWithin(idle(), patienceMs)
      ending.abort(new AppError('reply_interrupted'))
      for (const flow of flows) end(flow)
    },
  }
}
