/** Pure. How failed logins slow the next one down, and when only the owner of the mailbox or a known browser gets in. */

/** Counts start again after this long without an attempt. */
export const quietMs = 15 * 60_000

/** A household, or the network that it may be one of many in (IPv6: /64 and /48). */
export type Width = 'household' | 'network'

const freeTries: Record<Width, number> = { household: 5, network: 20 }
const longestPairMs = 15 * 60_000

/**
 * For one account from one address: after five failures every further one doubles the time in which nothing gets in
 * from that address. The owner, at another address, notices nothing.
 */
export const pairLockMs = (failures: number, width: Width = 'household'): number =>
  failures < freeTries[width] ? 0 : Math.min(longestPairMs, 1000 * 2 ** (failures - freeTries[width]))

/** In a row, from wherever, without a limit in time. A known browser has as many of its own. */
const mostInARow = 100

export const isExhausted = (failuresInARow: number): boolean => failuresInARow >= mostInARow

const calmAccountFailures = 20
const longestWaitMs = 5000

/** For one account from anywhere: many failures make unknown addresses wait a little before each try. */
export const accountWaitMs = (failures: number): number =>
  failures < calmAccountFailures ? 0 : Math.min(longestWaitMs, 100 * 2 ** Math.min(16, failures - calmAccountFailures))

const calmAddressFailures: Record<Width, number> = { household: 300, network: 1200 }
const longestAddressWaitMs = 2000

/** For one address against any account: an office behind it is slowed down, never shut out. */
export const addressWaitMs = (failures: number, width: Width = 'household'): number =>
  failures < calmAddressFailures[width]
    ? 0
    : Math.min(longestAddressWaitMs, 50 * 2 ** ((failures - calmAddressFailures[width]) / 25))
