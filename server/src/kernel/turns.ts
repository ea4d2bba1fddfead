/** So much at once and no more: owners take turns, and none of them ever has everything. */
import { AppError } from './errors.ts'
import { createFairQueue } from './fair-queue.ts'

/** Resolves when it is the owner's turn, with what ends it; rejects with the signal's reason. */
export type TakeTurn = (owner: string, signal?: AbortSignal) => Promise<() => void>

interface Options {
  atOnce: number
  perOwner: number
  /** More than this of one owner are refused; without it they wait. */
  maxWaitingPerOwner?: number
}

interface Waiting {
  owner: string
  start(): void
}

export const createTurns = ({ atOnce, perOwner, maxWaitingPerOwner = Number.POSITIVE_INFINITY }: Options): TakeTurn => {
  const active = new Map<string, number>()
  const waitingOf = new Map<string, number>()
  const waiting = createFairQueue<Waiting>(Number.POSITIVE_INFINITY)
  let total = 0

  const mayStart = (owner: string): boolean => total < atOnce && (active.get(owner) ?? 0) < perOwner
  const count = (owner: string, change: 1 | -1): void => {
    total += change
    add(active, owner, change)
  }
  const startNext = (): void => {
    const next = waiting.next(mayStart)
    if (!next) return
    count(next.owner, 1)
    next.start()
  }
  const waitInLine = (owner: string, signal: AbortSignal | undefined): Promise<void> => {
    if ((waitingOf.get(owner) ?? 0) >= maxWaitingPerOwner) throw new AppError('too_many_requests', { retryAfterSec: 5 })
    add(waitingOf, owner, 1)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const one = { owner, start: resolve }
    const leave = (): void => {
      waiting.remove(owner, one)
      reject(signal?.reason)
    }
    waiting.push(owner, one)
    signal?.addEventListener('abort', leave, { once: true })
    return promise.finally(() => {
      signal?.removeEventListener('abort', leave)
      add(waitingOf, owner, -1)
    })
  }

  return async (owner, signal) => {
    signal?.throwIfAborted()
    if (mayStart(owner)) count(owner, 1)
    else await waitInLine(owner, signal)
    return () => {
      count(owner, -1)
      startNext()
    }
  }
}

/** Owners with nothing are forgotten. */
const add = (counts: Map<string, number>, owner: string, change: 1 | -1): void => {
  const left = (counts.get(owner) ?? 0) + change
  if (left === 0) counts.delete(owner)
  else counts.set(owner, left)
}
