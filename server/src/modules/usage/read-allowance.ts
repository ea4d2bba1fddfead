/** The caller's allowance: the tightest of each kind of limit that applies to them. */
import type { Allowance } from '@chancery/contract/models/usage.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { UsageContext } from './context.ts'
import type { ApplicableLimit } from './limit-index.ts'
import { type Account, accountsOf, type Counter } from './token-counters.ts'

type Deps = Pick<UsageContext, 'state' | 'groupsOf'>

interface Budget {
  used: number
  limit: number | null
}

const tightest = (own: number, budgets: readonly { used: number; limit: number }[]): Budget =>
  budgets.toSorted((a, b) => a.limit - a.used - (b.limit - b.used))[0] ?? { used: own, limit: null }

export const readAllowance = async ({ state, groupsOf }: Deps, actor: Actor): Promise<Allowance> => {
  const applicable = state.limits.applicableTo(actor, await groupsOf(actor))
  const counterOf = await openCounters(state, [
    accountsOf(actor).principal,
    ...applicable.map(({ account }) => account),
  ])
  const own = counterOf(accountsOf(actor).principal)
  const budgets = (limitOf: (concern: ApplicableLimit) => number | null, usedOf: (counter: Counter) => number) =>
    tightest(
      usedOf(own),
      applicable.flatMap((concern) => {
        const limit = limitOf(concern)
        return limit === null ? [] : [{ used: usedOf(counterOf(concern.account)), limit }]
      }),
    )
  const rates = applicable.flatMap(({ limit }) => limit.requestsPerMinute ?? [])
  return {
    requests_per_minute: rates.length === 0 ? null : Math.min(...rates),
    tokens_today: budgets(
      ({ limit }) => limit.tokensPerDay,
      ({ today }) => today,
    ),
    tokens_this_month: budgets(
      ({ limit }) => limit.tokensPerMonth,
      ({ earlier, today }) => earlier + today,
    ),
  }
}

const openCounters = async (state: Deps['state'], accounts: readonly Account[]) => {
  const day = state.today()
  const unknown = accounts.filter((account) => !state.counters.find(account, day))
  if (unknown.length > 0) await state.loadCounters(unknown, day)
  return (account: Account): Counter => state.counters.find(account, day) ?? { day, earlier: 0, today: 0 }
}
