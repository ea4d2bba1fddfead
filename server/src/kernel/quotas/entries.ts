/** How many are under way at once, on this node. Never waits: a plan that isn't known yet counts from the next call on. */
import type { Overrides } from './overrides.ts'
import { type AtOnceQuota, keyOf, type QuotaSubject } from './quota.ts'
import type { Refusals } from './refusals.ts'

export const createEntries = ({ overrides, refusals }: { overrides: Overrides; refusals: Refusals }) => {
  const inside = new Map<string, number>()

  const leave = (key: string): void => {
    const left = (inside.get(key) ?? 1) - 1
    if (left === 0) inside.delete(key)
    else inside.set(key, left)
  }
  const mostOf = (quota: AtOnceQuota, { scopeId }: QuotaSubject): number => {
    const known = overrides.limitOf(quota, scopeId)
    return known instanceof Promise ? quota.most : known.most
  }
  return {
    mostOf,
    enter: (quota: AtOnceQuota, subject: QuotaSubject): (() => void) => {
      const key = keyOf(quota, subject)
      const most = mostOf(quota, subject)
      const count = inside.get(key) ?? 0
      if (most > 0 && count >= most) throw refusals.of(quota, key, { most })
      inside.set(key, count + 1)
      let isInside = true
      return () => {
        if (isInside) leave(key)
        isInside = false
      }
    },
  }
}
