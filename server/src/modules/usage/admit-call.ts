/** Lets a call to a model through, or says which limit holds it back. */
import type { Actor } from '#kernel/http/actor.ts'
import type { UsageContext } from './context.ts'
import type { Concern } from './limit-book.ts'
import { findSpentBudget, rateReached } from './refusals.ts'

type Deps = Pick<UsageContext, 'books' | 'clock' | 'groupsOf' | 'limits'>

const noGroups: ReadonlySet<string> = new Set()

/** At once wherever everything is known already: this stands in the way of every call. */
export const admitCall = (deps: Deps, actor: Actor): void | Promise<void> => {
  const { limits } = deps.books
  if (limits.isEmpty()) return
  const groups = limits.hasGroups() ? deps.groupsOf(actor) : noGroups
  return groups instanceof Promise
    ? groups.then((known) => checkConcerns(deps, limits.concerning(actor, known)))
    : checkConcerns(deps, limits.concerning(actor, groups))
}

const checkConcerns = ({ books, clock, limits }: Deps, concerns: readonly Concern[]): void | Promise<void> => {
  if (concerns.length === 0) return
  const day = books.today()
  const budgets = concerns.filter(({ limit }) => limit.tokensPerDay !== null || limit.tokensPerMonth !== null)
  const check = (): void | Promise<void> => {
    for (const { limit, account } of budgets) {
      const counter = books.tally.find(account, day)
      const refusal = counter && findSpentBudget(limit, counter, clock.now())
      if (refusal) throw refusal
    }
    const rates = concerns.filter(({ limit }) => limit.requestsPerMinute !== null)
    return rates.length === 0 ? undefined : takeRates(limits, rates)
  }
  const unknown = budgets.map(({ account }) => account).filter((account) => !books.tally.find(account, day))
  return unknown.length === 0 ? check() : books.loadCounters(unknown, day).then(check)
}

const takeRates = async (limits: Deps['limits'], concerns: readonly Concern[]): Promise<void> => {
  for (const { limit, account } of concerns) {
    const max = limit.requestsPerMinute ?? Number.POSITIVE_INFINITY
    const { allowed, retryAfterSec } = await limits.take(`usage:${limit.id}:${account.id}`, { max, windowSec: 60 })
    if (!allowed) throw rateReached(limit, max, retryAfterSec)
  }
}
