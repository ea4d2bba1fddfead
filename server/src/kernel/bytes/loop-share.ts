/**
 * The time that all bytes from outside may take of one turn of the event loop. A sender of single bytes makes each cost
 * as much as a megabyte in one piece, and Node hands over up to two megabytes within one turn. A sender that finds the
 * time used up is paused, and goes on in a later turn: those that wait take turns.
 */

export interface LoopShare {
  /** False when this turn's time is used up: pause, and `wait`. */
  hasTime(): boolean
  /** In a later turn, after those that have waited longer. */
  wait(goOn: () => void): void
}

export const createLoopShare = (mostMs: number): LoopShare => {
  let endsAt: number | undefined
  const waiting: (() => void)[] = []

  const begin = (): number => {
    endsAt = performance.now() + mostMs
    setImmediate(next)
    return endsAt
  }
  const next = (): void => {
    endsAt = undefined
    if (waiting.length === 0) return
    const until = begin()
    do waiting.shift()?.()
    while (waiting.length > 0 && performance.now() < until)
  }
  return {
    hasTime: () => performance.now() < (endsAt ?? begin()),
    wait: (goOn) => void waiting.push(goOn),
  }
}

/** One for everything that arrives: it is one event loop. */
export const arrivingBytes = createLoopShare(10)
