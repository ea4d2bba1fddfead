/** Runs at most `width` pieces of work at the same time; the others wait in order. */

export interface ConcurrencyLimit {
  <Result>(work: () => Promise<Result>): Promise<Result>
  waiting(): number
}

export const createConcurrencyLimit = (width: number): ConcurrencyLimit => {
  const queue: (() => void)[] = []
  let running = 0

  const run = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running >= width) await new Promise<void>((start) => queue.push(start))
    else running += 1
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else running -= 1
    }
  }
  return Object.assign(run, { waiting: () => queue.length })
}
