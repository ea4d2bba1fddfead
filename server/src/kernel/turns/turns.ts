/** So much at once and no more: owners take turns, and none of them ever has everything. */
import { AppError } from '../errors.ts'
import { createKeyCounts } from './key-counts.ts'
import { createPlaces, type Places } from './places.ts'

/** Resolves when it is the owner's turn, with what ends it; rejects with the signal's reason. */
export type TakeTurn = (owner: string, signal?: AbortSignal) => Promise<() => void>

interface Options {
  atOnce: number
  /** As of now: what an owner has had may count. */
  perOwner: number | ((owner: string) => number)
  /** More than this of one owner are refused; without it they wait. */
  maxWaitingPerOwner?: number
}

export const createTurns = ({ atOnce, perOwner, maxWaitingPerOwner }: Options): TakeTurn =>
  turnsIn(createPlaces({ most: atOnce, perTenant: perOwner }), maxWaitingPerOwner)

export const turnsIn = (places: Places, maxWaitingPerOwner = Number.POSITIVE_INFINITY): TakeTurn => {
  const waiting = createKeyCounts()

  return async (owner, signal) => {
    signal?.throwIfAborted()
    if (waiting.of(owner) >= maxWaitingPerOwner) throw new AppError('too_many_requests', { retryAfterSec: 5 })
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const stopWaiting = (): void => {
      waiting.add(owner, -1)
      signal?.removeEventListener('abort', giveUp)
    }
    const giveUp = (): void => {
      stopWaiting()
      leave()
      reject(signal?.reason)
    }
    waiting.add(owner, 1)
    signal?.addEventListener('abort', giveUp, { once: true })
    const leave = places.take(owner, () => {
      stopWaiting()
      resolve()
    })
    await promise
    return leave
  }
}
