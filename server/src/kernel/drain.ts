/**
 * The time that a stop still waits for what is under way. All who wait share the time, so that a stop takes no longer
 * than it was told, however many of them there are.
 */
export interface Drain {
  /** The time begins to run. */
  begin(): void
  /** All of it before `begin`. */
  remainingMs(): number
}

export const createDrain = (patienceMs: number): Drain => {
  let untilMs: number | undefined
  return {
    begin: () => {
      untilMs ??= performance.now() + patienceMs
    },
    remainingMs: () => (untilMs === undefined ? patienceMs : Math.max(0, untilMs - performance.now())),
  }
}
