/**
 * Waits for something to become true; bounded, so that a failure ends as an error rather than as a hang. A minute, since
 * tests of other files share the machine, and the database's oldest transaction.
 */
import { setTimeout as sleep } from 'node:timers/promises'

/** Conditions that are waited for. A test that fails names it, since most tests end sooner than this waits. */
export const awaited = new Set<{ what(): string }>()

/** What is waited for; a function says what is missing at that moment. */
type What = string | (() => string)

export const until = async (
  isTrue: () => boolean | Promise<boolean>,
  what: What = 'what was waited for',
): Promise<void> => {
  const wait = { what: typeof what === 'string' ? () => what : what }
  awaited.add(wait)
  try {
    for (let tries = 0; tries < 2400; tries++) {
      if (await isTrue()) return
      await sleep(25)
    }
  } finally {
    awaited.delete(wait)
  }
  throw new Error(`${wait.what()} did not happen`)
}
