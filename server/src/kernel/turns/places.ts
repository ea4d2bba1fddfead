/**
 * Few places for the work of many tenants: tenants take turns, none of them has more than its part, and where others have
 * all, spare places are left for those that used little of them lately.
 */
import { createFairQueue } from './fair-queue.ts'
import { createKeyCounts } from './key-counts.ts'
import { createPurses } from './purses.ts'

export interface PlaceRule {
  most: number
  /** For one tenant at the same time. As of now where it is a function: what a tenant has had may count. */
  perTenant: number | ((tenant: string) => number)
  /** Beyond `most`: one for a tenant that has none, and used little time lately. */
  spare?: number
}

export interface Places {
  /**
   * Calls `begin` at the tenant's turn, which may be at once. The result gives the place back, or the position in the line;
   * only its first call counts.
   */
  take(tenant: string, begin: () => void): () => void
}

interface Wish {
  tenant: string
  begin(): void
  state: 'waiting' | 'begun' | 'over'
  begunAtMs: number
}

/** Of the time of places. Ten seconds of work in a minute make nobody wait; half a minute of it, for five minutes. */
const share = { fullMs: 5_000, refillMsPerSec: 100, maxDebtMs: 30_000 }

export const createPlaces = ({ most, perTenant, spare = 0 }: PlaceRule): Places => {
  const waiting = createFairQueue<Wish>(Number.POSITIVE_INFINITY)
  const begun = createKeyCounts()
  const times = createPurses(share, () => performance.now())
  const placesOf = typeof perTenant === 'number' ? () => perTenant : perTenant

  const mayBegin = (tenant: string): boolean => {
    if (begun.total < most) return begun.of(tenant) < placesOf(tenant)
    return begun.total < most + spare && begun.of(tenant) === 0 && times.leftMs(tenant) > 0
  }
  const beginNext = (): void => {
    for (let wish = waiting.next(mayBegin); wish; wish = waiting.next(mayBegin)) {
      begun.add(wish.tenant, 1)
      Object.assign(wish, { state: 'begun', begunAtMs: performance.now() })
      wish.begin()
    }
  }
  const end = (wish: Wish): void => {
    const { tenant, state } = wish
    wish.state = 'over'
    if (state === 'waiting') waiting.remove(tenant, wish)
    if (state !== 'begun') return
    begun.add(tenant, -1)
    if (spare > 0) times.charge(tenant, performance.now() - wish.begunAtMs)
    beginNext()
  }
  return {
    take: (tenant, begin) => {
      const wish: Wish = { tenant, begin, state: 'waiting', begunAtMs: 0 }
      waiting.push(tenant, wish)
      beginNext()
      return () => end(wish)
    },
  }
}
