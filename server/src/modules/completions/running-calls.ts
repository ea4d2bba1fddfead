/** Calls that belong to a connection and not to a chat, so that a stopping server can end the ones still open. */
import type { ByteFlow } from '#kernel/bytes/byte-flow.ts'
import { endsWithin } from '#kernel/ends-within.ts'
import { AppError } from '#kernel/errors.ts'

export interface RunningCalls {
  /** A call that has no flow yet: the model may think for minutes before its first byte. Call the result when it has. */
  begin(): () => void
  /** Counts the flow as running until it closes. */
  watch(flow: ByteFlow): void
  /** The same for a generator: until its last piece is read, or its reader leaves. */
  hold<Piece>(pieces: AsyncGenerator<Piece>): AsyncGenerator<Piece>
  readonly count: number
  /** Aborted when a stopping server can't wait any longer. */
  readonly signal: AbortSignal
  /** Waits this long for calls to end by themselves, then ends the rest with an error. */
  drain(patienceMs: number): Promise<void>
  /** Ends all of them, and those that still come. */
  end(): void
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
  const endFlow = (flow: ByteFlow): void => flow.close(new AppError('reply_interrupted'))
  const end = (): void => {
    ending.abort(new AppError('reply_interrupted'))
    for (const flow of flows) endFlow(flow)
  }
  const begin = () => {
    held += 1
    return () => {
      held -= 1
      checkIdle()
    }
  }
  return {
    begin,
    end,
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
      if (ending.signal.aborted) endFlow(flow)
    },
    hold: async function* (pieces) {
      const done = begin()
      try {
        yield* pieces
      } finally {
        done()
      }
    },
    drain: async (patienceMs) => {
      if (!(await endsWithin(idle(), patienceMs))) end()
    },
  }
}
