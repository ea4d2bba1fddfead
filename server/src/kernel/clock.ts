/** Time, injectable so that tests can move it. The server's is the database's (`db/database-clock.ts`). */
export interface Clock {
  now(): Date
  /** Only of a clock that can be moved: calls the listener after each move. */
  onMoved?(listener: () => void): void
}

export const systemClock: Clock = { now: () => new Date() }

/** Whole Unix seconds, for parts of the API that don't use ISO timestamps. */
export const unixSeconds = (time: Date): number => Math.floor(time.getTime() / 1000)
