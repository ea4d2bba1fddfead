/** Pure. How failed logins slow the next one down: growing delays, never a lock that a stranger could turn. */

/** Counts start again after this long without an attempt. */
export const quietMs = 15 * 60_000

const freeTries = 5
const longestPairMs = 15 * 60_000

/**
 * For one account from one address: after five failures every further one doubles the time in which nothing gets in
 * from that address. The owner, at another address, notices nothing.
 */
export const pairLockMs = (failures: number): number =>
  failures < freeTries ? 0 : Math.min(longestPairMs, 1000 * 2 ** (failures - freeTries))

const calmAccountFailures = 20
const longestWaitMs = 5000

/** For one account from anywhere: many failures make unknown addresses wait a little before each try. */
export const accountWaitMs = (failures: number): number =>
  failures < calmAccountFailures ? 0 : Math.min(longestWaitMs, 100 * 2 ** Math.min(16, failures - calmAccountFailures))

const calmAddressFailures = 300
const longestAddressWaitMs = 2000

/** For one address against any account: an office behind it is slowed down, never shut out. */
export const addressWaitMs = (failures: number): number =>
  failures < calmAddressFailures ? 0 : Math.min(longestAddressWaitMs, 50 * 2 ** ((failures - calmAddressFailures) / 25))
