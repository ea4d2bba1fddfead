/** How many are under way at once, on this node. Never waits: a plan that isn't known yet counts from the next call on. */
import { createKeyCounts } from '../turns/key-counts.ts'
import type { Overrides } from './overrides.ts'
import { type AtOnceQuota, keyOf, type QuotaSubject } from './quota.ts'
import type { Refusals } from './refusals.ts'

export const createEntries = ({ overrides, refusals }: { overrides: Overrides; refusals: Refusals }) => {
  const inside = createKeyCounts()

  const mostOf = (quota: AtOnceQuota, { scopeId }: QuotaSubject): number => {
    const known = overrides.limitOf(quota, scopeId)
    return known instanceof Promise ? quota.most : known.most
  }
  return {
    mostOf,
    enter: (quota: AtOnceQuota, subject: QuotaSubject): (() => void) => {
      const key = keyOf(quota, subject)
      const most = mostOf(quota, subject)
      if (most > 0 && inside.of(key) >= most) throw refusals.of(quota, key, { most })
      inside.add(key, 1)
      let isInside = true
      return () => {
        if (isInside) inside.add(key, -1)
        isInside = false
      }
    },
  }
}
