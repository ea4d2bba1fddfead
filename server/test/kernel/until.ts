/**
 * Waits for something to become true; bounded, so that a failure ends as an error rather than as a hang. A minute, since
 * tests of other files share the machine, and the database's oldest transaction.
 */
import { setTimeout as sleep } from 'node:timers/promises'

export const until = async (isTrue: () => boolean | Promise<boolean>, what = 'what was waited for'): Promise<void> => {
  for (let tries = 0; tries < 2400; tries++) {
    if (await isTrue()) return
    await sleep(25)
  }
  throw new Error(`${what} did not happen`)
}
