/** Checks a model call against the caller's limits. Throws `usage_limit_reached` with the limit and when it ends. */
import type { Actor } from '#kernel/http/actor.ts'
import type { UsageContext } from './context.ts'
import type { ApplicableLimit } from './limit-index.ts'
import { findSpentBudget, rateReached } from './refusals.ts'

type Deps = Pick<UsageContext, 'state' | 'clock' | 'groupsOf' | 'limits'>

const noGroups: ReadonlySet<string> = new Set()

/** Synchronous where everything is in memory: every model call waits for this. */
export const admitCall = (deps: Deps, actor: Actor): void | Promise<void> => {
  const { limits } = deps.state
  if (limits.isEmpty()) return
  const groups = limits.hasGroups() ? deps.groupsOf(actor) : noGroups
  return groups instanceof Promise
    ? groups.then((known) => checkLimits(deps, limits.applicableTo(actor, known)))
    : checkLimits(deps, limits.applicableTo(actor, groups))
}

const checkLimits = ({ state, clock, limits }: Deps, applicable: readonly ApplicableLimit[]): void | Promise<void> => {
  if (applicable.length === 0) return
  const day = state.today()
  const budgets = applicable.filter(({ limit }) => limit.tokensPerDay !== null || limit.tokensPerMonth !== null)
  const check = (): void | Promise<void> => {
    for (const { limit, account } of budgets) {
      const counter = state.counters.find(account, day)
      const refusal = counter && findSpentBudget(limit, counter, clock.now())
      if (refusal) throw refusal
    }
    const rates = applicable.filter(({ limit }) => limit.requestsPerMinute !== null)
    return rates.length === 0 ? undefined : takeRates(limits, rates)
  }
  const unknown = budgets.map(({ account }) => account).filter((account) => !state.counters.find(account, day))
  return unknown.length === 0 ? check() : state.loadCounters(unknown, day).then(check)
}

const takeRates = async (limits: Deps['limits'], applicable: readonly ApplicableLimit[]): Promise<void> => {
  for (const { limit, account } of applicable) {
    const max = limit.requestsPerMinute ?? Number.POSITIVE_INFINITY
    const { allowed, retryAfterSec } = await limits.take(`usage:${limit.id}:${account.id}`, { max, windowSec: 60 })
    if (!allowed) throw rateReached(limit, max, retryAfterSec)
  }
}
