/**
 * Checks a model call against the caller's limits and reserves its estimated tokens in the budgets that apply. Throws
 * `usage_limit_reached` with the limit and when it ends, or a `TemporaryLimit` where other calls hold the rest of a budget.
 */
import type { Meter, Payer, Reservation, ReserveOptions } from '#kernel/meter.ts'
import type { UsageContext } from './context.ts'
import type { ApplicableLimit } from './limit-index.ts'
import { budgetHeld, findSpentBudget, rateReached } from './refusals.ts'
import type { Account } from './token-counters.ts'

type Deps = Pick<UsageContext, 'state' | 'clock' | 'groupsOf' | 'limits'>
type Reserved = ReturnType<Meter['reserve']>

interface Call extends ReserveOptions {
  estimateTokens(): number
}

const noGroups: ReadonlySet<string> = new Set()

/** Synchronous where everything is in memory: every model call waits for this. */
export const reserveCall = (deps: Deps, payer: Payer, call: Call): Reserved => {
  const { limits } = deps.state
  if (limits.isEmpty()) return undefined
  const groups = limits.hasGroups() ? deps.groupsOf(payer) : noGroups
  return groups instanceof Promise
    ? groups.then((known) => checkLimits(deps, call, limits.applicableTo(payer, known)))
    : checkLimits(deps, call, limits.applicableTo(payer, groups))
}

const checkLimits = (deps: Deps, call: Call, applicable: readonly ApplicableLimit[]): Reserved => {
  if (applicable.length === 0) return undefined
  const { state } = deps
  const day = state.today()
  const budgets = applicable.filter(({ limit }) => limit.tokensPerDay !== null || limit.tokensPerMonth !== null)
  const rates = call.isContinued ? [] : applicable.filter(({ limit }) => limit.requestsPerMinute !== null)
  const withRates = (reservation: Reservation | undefined): Reserved =>
    rates.length === 0 ? reservation : takeRates(deps.limits, rates, reservation)
  if (state.shared && budgets.length > 0) return reserveShared(deps, budgets, call.estimateTokens()).then(withRates)
  const check = (): Reserved => withRates(reserveTokens(deps, budgets, call.estimateTokens))
  const unknown = budgets.map(({ account }) => account).filter((account) => !state.counters.find(account, day))
  return unknown.length === 0 ? check() : state.loadCounters(unknown, day).then(check)
}

/** Nothing may wait between the check and the reservation, or two calls would both find the budget free. */
const reserveTokens = (
  deps: Deps,
  budgets: readonly ApplicableLimit[],
  estimateTokens: () => number,
): Reservation | undefined =>
  budgets.length === 0 ? undefined : holdTokens(deps, budgets, { tokens: estimateTokens() })

const accountsOf = (budgets: readonly ApplicableLimit[]): Account[] => budgets.map(({ account }) => account)

/** If other nodes use the same database, their reservations count too. */
const reserveShared = (deps: Deps, budgets: readonly ApplicableLimit[], tokens: number): Promise<Reservation> => {
  const { shared, reloadCounters } = deps.state
  const accounts = accountsOf(budgets)
  if (!shared) throw new Error('reservations are not shared')
  return shared.hold({ accounts, tokens }, async (tx, othersHold) => {
    await reloadCounters(tx, accounts)
    return holdTokens(deps, budgets, { tokens, othersHold })
  })
}

interface Holding {
  tokens: number
  othersHold?: (account: Account) => number
}

const holdTokens = (
  { state, clock }: Deps,
  budgets: readonly ApplicableLimit[],
  { tokens, othersHold = () => 0 }: Holding,
): Reservation => {
  const day = state.today()
  for (const { limit, account } of budgets) {
    const counter = state.counters.find(account, day)
    if (!counter) continue
    const held = state.reservations.heldFor(account) + othersHold(account)
    const spent = findSpentBudget(limit, counter, clock.now())
    if (spent) throw spent
    // Alone, a call may begin while anything is left; beside others it must fit in what they leave.
    const today = counter.today + held + tokens - 1
    if (held > 0 && findSpentBudget(limit, { ...counter, today }, clock.now())) throw budgetHeld(limit)
  }
  return state.reservations.hold(accountsOf(budgets), tokens)
}

const takeRates = async (
  limits: Deps['limits'],
  applicable: readonly ApplicableLimit[],
  reservation: Reservation | undefined,
): Promise<Reservation | undefined> => {
  try {
    for (const { limit, account } of applicable) {
      const max = limit.requestsPerMinute ?? Number.POSITIVE_INFINITY
      const { allowed, retryAfterSec } = await limits.take(`usage:${limit.id}:${account.id}`, { max, windowSec: 60 })
      if (!allowed) throw rateReached(limit, max, retryAfterSec)
    }
    return reservation
  } catch (problem) {
    reservation?.release()
    throw problem
  }
}
