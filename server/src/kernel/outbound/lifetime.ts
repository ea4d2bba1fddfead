/**
 * How long one call may live: it ends when its caller aborts, when the first byte of a hop is late, or when its total
 * time is over. Idle time between bytes is watched by the connection itself.
 */
import { AppError } from '../errors.ts'
import { asOutboundError } from './failures.ts'

interface LifetimeOptions {
  signal: AbortSignal | undefined
  firstByteMs: number
  totalMs: number | undefined
}

export interface Lifetime {
  signal: AbortSignal
  /** Runs one hop; rejects as soon as the life is over, whatever the hop is still waiting for. */
  untilFirstByte<Reply>(hop: () => Promise<Reply>): Promise<Reply>
  /** The caller's own reason if it was the caller who ended it, one of our codes otherwise. */
  explain(problem: unknown): Error
  end(): void
}

export const createLifetime = ({ signal, firstByteMs, totalMs }: LifetimeOptions): Lifetime => {
  const controller = new AbortController()
  const timeOut = () => controller.abort(new AppError('outbound_timeout'))
  const follow = () => controller.abort(signal?.reason)
  if (signal?.aborted) follow()
  signal?.addEventListener('abort', follow, { once: true })
  const total = totalMs === undefined ? undefined : setTimeout(timeOut, totalMs)

  return {
    signal: controller.signal,
    async untilFirstByte(hop) {
      controller.signal.throwIfAborted()
      const timer = setTimeout(timeOut, firstByteMs)
      const over = Promise.withResolvers<never>()
      const stop = () => over.reject(controller.signal.reason)
      controller.signal.addEventListener('abort', stop, { once: true })
      try {
        return await Promise.race([hop(), over.promise])
      } finally {
        clearTimeout(timer)
        controller.signal.removeEventListener('abort', stop)
      }
    },
    explain: (problem) =>
      signal?.aborted && problem === signal.reason && problem instanceof Error ? problem : asOutboundError(problem),
    end() {
      clearTimeout(total)
      signal?.removeEventListener('abort', follow)
    },
  }
}
