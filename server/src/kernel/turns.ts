/** So much at once and no more: owners take turns, and none of them ever has everything. */
import { AppError } from './errors.ts'
import { createFairQueue } from './fair-queue.ts'
import { createKeyCounts } from './key-counts.ts'

/** Resolves when it is the owner's turn, with what ends it; rejects with the signal's reason. */
export type TakeTurn = (owner: string, signal?: AbortSignal) => Promise<() => void>

interface Options {
  atOnce: number
  /** As of now: what an owner has had may count. */
  perOwner: number | ((owner: string) => number)
  /** More than this of one owner are refused; without it they wait. */
  maxWaitingPerOwner?: number
}

interface Waiting {
  owner: string
  start(): void
}

export const createTurns = ({ atOnce, perOwner, maxWaitingPerOwner }: Options): TakeTurn => {
  const active = createKeyCounts()
  const waiting = createFairQueue<Waiting>(Number.POSITIVE_INFINITY, maxWaitingPerOwner)

  const placesOf = typeof perOwner === 'number' ? () => perOwner : perOwner
  const mayStart = (owner: string): boolean => active.total < atOnce && active.of(owner) < placesOf(owner)
  const startNext = (): void => {
    const next = waiting.next(mayStart)
    if (!next) return
    active.add(next.owner, 1)
    next.start()
  }
  const waitInLine = async (owner: string, signal: AbortSignal | undefined): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const one = { owner, start: resolve }
    const leave = (): void => {
      waiting.remove(owner, one)
      reject(signal?.reason)
    }
    if (!waiting.push(owner, one)) throw new AppError('too_many_requests', { retryAfterSec: 5 })
    signal?.addEventListener('abort', leave, { once: true })
    await promise.finally(() => signal?.removeEventListener('abort', leave))
  }

  return async (owner, signal) => {
    signal?.throwIfAborted()
    if (mayStart(owner)) active.add(owner, 1)
    else await waitInLine(owner, signal)
    return () => {
      active.add(owner, -1)
      startNext()
    }
  }
}
