/**
 * Checks a model call against the caller's limits and reserves what it may use in the budgets that apply. Throws
 * `usage_limit_reached` with the limit and when it ends, or a `TemporaryLimit` where other calls hold the rest of a budget.
 */
import {
  isLimitReached,
  type Meter,
  type Payer,
  type Reservation,
  type ReserveOptions,
  type Wanted,
} from '#kernel/meter.ts'
import type { UsageContext } from './context.ts'
import type { ApplicableLimit } from './limit-index.ts'
import { budgetHeld, budgetTooSmall, findSpentBudget, leftOf, rateReached } from './refusals.ts'
import type { Held } from './reservations.ts'
import type { Account } from './token-counters.ts'

type Deps = Pick<UsageContext, 'state' | 'clock' | 'groupsOf' | 'limits'>
type Reserved = ReturnType<Meter['reserve']>

interface Call extends ReserveOptions {
  wanted(): Wanted
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
  const budgets = applicable.filter(({ limit }) => limit.tokensPerDay !== null || limit.tokensPerMonth !== null)
  const rates = call.isContinued ? [] : applicable.filter(({ limit }) => limit.requestsPerMinute !== null)
  const withRates = (held: Held | undefined): Reserved => {
    const reservation =
      held && new GrowingReservation(held, (tokens) => hold(deps, budgets, { least: tokens, most: tokens }))
    return rates.length === 0 ? reservation : takeRates(deps.limits, rates, reservation)
  }
  if (budgets.length === 0) return withRates(undefined)
  const held = hold(deps, budgets, call.wanted())
  return held instanceof Promise ? held.then(withRates) : withRates(held)
}

const accountsOf = (budgets: readonly ApplicableLimit[]): Account[] => budgets.map(({ account }) => account)

/** If other nodes use the same database, their reservations count too. */
const hold = (deps: Deps, budgets: readonly ApplicableLimit[], wanted: Wanted): Held | Promise<Held> => {
  const { state } = deps
  const { shared } = state
  const accounts = accountsOf(budgets)
  if (shared)
    return shared.hold(accounts, async (tx, othersHold) => {
      await state.reloadCounters(tx, accounts)
      return holdHere(deps, budgets, { wanted, othersHold })
    })
  const day = state.today()
  const unknown = accounts.filter((account) => !state.counters.find(account, day))
  const here = () => holdHere(deps, budgets, { wanted, othersHold: () => 0 })
  return unknown.length === 0 ? here() : state.loadCounters(unknown, day).then(here)
}

interface Holding {
  wanted: Wanted
  othersHold: (account: Account) => number
}

/** Nothing may wait between the check and the reservation, or two calls would both find the budget free. */
const holdHere = (
  { state, clock }: Deps,
  budgets: readonly ApplicableLimit[],
  { wanted: { least, most }, othersHold }: Holding,
): Held => {
  const day = state.today()
  const now = clock.now()
  let granted = most
  for (const { limit, account } of budgets) {
    const counter = state.counters.find(account, day)
    if (!counter) continue
    const spent = findSpentBudget(limit, counter, now)
    if (spent) throw spent
    const left = leftOf(limit, counter)
    if (left < least) throw budgetTooSmall(limit, counter, { least, now })
    granted = Math.min(granted, left - state.reservations.heldFor(account) - othersHold(account))
    if (granted < least) throw budgetHeld(limit)
  }
  return state.reservations.hold(accountsOf(budgets), granted)
}

/** What a running call holds: more than at first, if its answer grows beyond what was expected. */
class GrowingReservation implements Reservation {
  readonly #parts: Held[]
  readonly #holdMore: (tokens: number) => Held | Promise<Held>
  #isReleased = false

  constructor(first: Held, holdMore: (tokens: number) => Held | Promise<Held>) {
    this.#parts = [first]
    this.#holdMore = holdMore
  }

  get tokens(): number {
    return this.#parts.reduce((sum, { tokens }) => sum + tokens, 0)
  }

  /** Both can be passed on alone. */
  extend = (tokens: number): boolean | Promise<boolean> => {
    try {
      const more = this.#holdMore(tokens)
      return more instanceof Promise ? more.then((held) => this.#add(held), refusedOrThrow) : this.#add(more)
    } catch (problem) {
      return refusedOrThrow(problem)
    }
  }

  release = (): void => {
    this.#isReleased = true
    for (const part of this.#parts) part.release()
  }

  #add(held: Held): boolean {
    this.#parts.push(held)
    if (this.#isReleased) held.release()
    return true
  }
}

const refusedOrThrow = (problem: unknown): false => {
  if (isLimitReached(problem)) return false
  throw problem
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
