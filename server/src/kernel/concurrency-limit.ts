/** Lets so many pieces of work through at once; the others wait in order. */

export interface ConcurrencyLimit {
  <Result>(work: () => Promise<Result>): Promise<Result>
  /** How many wait for their turn. */
  waiting(): number
}

export const createConcurrencyLimit = (width: number): ConcurrencyLimit => {
  const queue: (() => void)[] = []
  let inside = 0

  const inTurn = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (inside >= width) await new Promise<void>((enter) => queue.push(enter))
    else inside += 1
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else inside -= 1
    }
  }
  return Object.assign(inTurn, { waiting: () => queue.length })
}
