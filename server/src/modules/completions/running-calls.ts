/** Calls that belong to a connection and not to a chat, so that a stopping server can end those that do not end. */
import type { Readable } from 'node:stream'
import { endsWithin } from '#kernel/ends-within.ts'
import { AppError } from '#kernel/errors.ts'

export interface RunningCalls {
  /** Until it closes by itself. */
  watch(body: Readable): void
  /** Aborted when the server cannot wait any longer. */
  readonly signal: AbortSignal
  /** Waits so long for streams to end by themselves, then ends the rest with an error. */
  drain(patienceMs: number): Promise<void>
}

export const createRunningCalls = (): RunningCalls => {
  const bodies = new Set<Readable>()
  const ending = new AbortController()
  const end = (body: Readable): void => void body.destroy(new AppError('reply_interrupted'))
  return {
    signal: ending.signal,
    watch: (body) => {
      bodies.add(body)
      body.once('close', () => bodies.delete(body))
      if (ending.signal.aborted) end(body)
    },
    drain: async (patienceMs) => {
      await endsWithin(Promise.all([...bodies].map(closed)), patienceMs)
      ending.abort(new AppError('reply_interrupted'))
      for (const body of bodies) end(body)
    },
  }
}

const closed = (body: Readable): Promise<void> => new Promise((resolve) => body.once('close', resolve))
