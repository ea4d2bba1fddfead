/** The steps of a stop, one after the other. One that fails, without its database for example, keeps no other from its own. */
import type { Log } from './log.ts'

export const stopEach = async (log: Log, steps: readonly (() => Promise<unknown> | undefined)[]): Promise<void> => {
  for (const step of steps)
    try {
      await step()
    } catch (problem) {
      log.warn({ err: problem }, 'A part did not stop cleanly.')
    }
}
