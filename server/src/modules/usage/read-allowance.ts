/** What is left to the caller: of the limits that concern them, the tightest of each kind. */
import type { Allowance } from '@chancery/contract/usage.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { UsageContext } from './context.ts'
import type { Concern } from './limit-book.ts'
import { type Account, accountsOf, type Counter } from './tally.ts'

type Deps = Pick<UsageContext, 'books' | 'groupsOf'>

interface Budget {
  used: number
  limit: number | null
}

const tightest = (own: number, budgets: readonly { used: number; limit: number }[]): Budget =>
  budgets.toSorted((a, b) => a.limit - a.used - (b.limit - b.used))[0] ?? { used: own, limit: null }

export const readAllowance = async ({ books, groupsOf }: Deps, actor: Actor): Promise<Allowance> => {
  const concerns = books.limits.concerning(actor, await groupsOf(actor))
  const counterOf = await openCounters(books, [accountsOf(actor).principal, ...concerns.map(({ account }) => account)])
  const own = counterOf(accountsOf(actor).principal)
  const budgets = (limitOf: (concern: Concern) => number | null, usedOf: (counter: Counter) => number) =>
    tightest(
      usedOf(own),
      concerns.flatMap((concern) => {
        const limit = limitOf(concern)
        return limit === null ? [] : [{ used: usedOf(counterOf(concern.account)), limit }]
      }),
    )
  const rates = concerns.flatMap(({ limit }) => limit.requestsPerMinute ?? [])
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

const openCounters = async (books: Deps['books'], accounts: readonly Account[]) => {
  const day = books.today()
  const unknown = accounts.filter((account) => !books.tally.find(account, day))
  if (unknown.length > 0) await books.loadCounters(unknown, day)
  return (account: Account): Counter => books.tally.find(account, day) ?? { day, earlier: 0, today: 0 }
}
