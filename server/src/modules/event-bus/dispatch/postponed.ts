/**
 * What a dispatch leaves to the turns of single tenants. From the first event that is left to a tenant's turn on, all its
 * events are, so they stay in order. Pure.
 */
import type { Pair } from '../queries/postponed.ts'

export interface Postponed {
  /** These have events waiting already. */
  addBehind(scopeIds: Iterable<string>): void
  /** Leaves the event to the tenant's turn, with everything after it. */
  add(scopeId: string, seq: number): void
  has(scopeId: string, seq: number): boolean
  pairs(): Pair[]
}

export const createPostponed = (): Postponed => {
  const firsts = new Map<string, number>()
  const pairs = new Map<string, Pair>()
  const begin = (scopeId: string, seq: number): void =>
    void firsts.set(scopeId, Math.min(seq, firsts.get(scopeId) ?? seq))
  return {
    addBehind: (scopeIds) => {
      for (const scopeId of scopeIds) begin(scopeId, 0)
    },
    add: (scopeId, seq) => {
      begin(scopeId, seq)
      pairs.set(`${scopeId} ${seq}`, { scopeId, seq })
    },
    has: (scopeId, seq) => seq >= (firsts.get(scopeId) ?? Number.POSITIVE_INFINITY),
    pairs: () => [...pairs.values()],
  }
}
