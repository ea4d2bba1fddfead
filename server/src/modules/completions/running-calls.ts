/** Calls that belong to a connection and not to a chat, so that a stopping server can end those that do not end. */
import type { ByteFlow } from '#kernel/bytes/byte-flow.ts'
import { endsWithin } from '#kernel/ends-within.ts'
import { AppError } from '#kernel/errors.ts'

export interface RunningCalls {
  /** Until it closes by itself. */
  watch(flow: ByteFlow): void
  /** Aborted when the server cannot wait any longer. */
  readonly signal: AbortSignal
  /** Waits so long for streams to end by themselves, then ends the rest with an error. */
  drain(patienceMs: number): Promise<void>
}

export const createRunningCalls = (): RunningCalls => {
  const flows = new Set<ByteFlow>()
  const ending = new AbortController()
  let onIdle: (() => void) | undefined
  const idle = (): Promise<void> =>
    new Promise((resolve) => {
      onIdle = resolve
      if (flows.size === 0) resolve()
    })
  const end = (flow: ByteFlow): void => flow.close(new AppError('reply_interrupted'))
  return {
    signal: ending.signal,
    watch: (flow) => {
      flows.add(flow)
      flow.whenClosed(() => {
        flows.delete(flow)
        if (flows.size === 0) onIdle?.()
      })
      if (ending.signal.aborted) end(flow)
    },
    drain: async (patienceMs) => {
      await endsWithin(idle(), patienceMs)
      ending.abort(new AppError('reply_interrupted'))
      for (const flow of flows) end(flow)
    },
  }
}
