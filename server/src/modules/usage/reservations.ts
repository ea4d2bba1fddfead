/** Tokens that running calls of this node are estimated to use, by account. They count against budgets until recorded. */
import { type Account, nameOf } from './token-counters.ts'

export interface Held {
  readonly tokens: number
  /** Safe to repeat. */
  release(): void
}

export interface Reservations {
  heldFor(account: Account): number
  hold(accounts: readonly Account[], tokens: number): Held
}

export const createReservations = (): Reservations => {
  const held = new Map<string, number>()
  const add = (name: string, tokens: number): void => {
    const sum = (held.get(name) ?? 0) + tokens
    if (sum > 0) held.set(name, sum)
    else held.delete(name)
  }
  return {
    heldFor: (account) => held.get(nameOf(account)) ?? 0,
    hold: (accounts, tokens) => {
      // Two limits of one account share its reservation.
      const names = [...new Set(accounts.map(nameOf))]
      let isReleased = false
      for (const name of names) add(name, tokens)
      return {
        tokens,
        release: () => {
          if (isReleased) return
          isReleased = true
          for (const name of names) add(name, -tokens)
        },
      }
    },
  }
}
