/** Tests filters while their tenants have time left, and charges them for what it really took. */
import { createAllowances, total } from '#kernel/expressions/allowances.ts'
import type { Expressions } from '#kernel/expressions/expressions.ts'
import type { Purses } from '#kernel/turns/purses.ts'
import type { TestMetered } from '../interface.ts'

interface Metering {
  thread: 'filters' | 'postponed'
  purse: Purses
  /** All tenants of the dispatch together. */
  totalMs: number
}

export const meterFilters = (
  expressions: Pick<Expressions, 'testWithin'>,
  { thread, purse, totalMs }: Metering,
): TestMetered => {
  let leftInTotal = totalMs
  return async ({ names, groups }) => {
    const owners = new Map<string, number>()
    const ownerOf = (scopeId: string): number => {
      const owner = owners.get(scopeId) ?? owners.size + 1
      owners.set(scopeId, owner)
      return owner
    }
    const owned = groups.map(({ values, texts, scopeIds }) => ({ values, texts, owners: scopeIds.map(ownerOf) }))
    const before = [...owners.keys()].map((scopeId) => purse.leftMs(scopeId))
    const allowances = createAllowances(leftInTotal, before)
    const verdicts = await expressions.testWithin({ names, thread, groups: owned, allowances })
    leftInTotal = allowances.leftMs(total)
    for (const [scopeId, owner] of owners) purse.charge(scopeId, (before[owner - 1] ?? 0) - allowances.leftMs(owner))
    return verdicts
  }
}
