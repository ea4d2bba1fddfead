/**
 * Contenders in many short rounds, each in turn: what else the machine does meets all of them. A round gives a ratio, so
 * the median says how they compare, and the quartiles how far that can be relied on.
 */

export interface Spread {
  median: number
  /** A quarter of the rounds is below, a quarter above. */
  low: number
  high: number
}

export const spreadOf = (values: readonly number[]): Spread => {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (part: number): number => sorted[Math.round((sorted.length - 1) * part)] ?? Number.NaN
  return { median: at(0.5), low: at(0.25), high: at(0.75) }
}

export const showSpread = ({ median, low, high }: Spread, digits = 2): string =>
  `${median.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`

/** The results of each, by round. The order changes from round to round, so that none is always the first. */
export const inTurns = async <Contender, Result>(
  contenders: readonly Contender[],
  rounds: number,
  measure: (contender: Contender) => Promise<Result>,
): Promise<Result[][]> => {
  const results = contenders.map((): Result[] => [])
  for (let round = 0; round < rounds; round += 1)
    for (let turn = 0; turn < contenders.length; turn += 1) {
      const at = (turn + round) % contenders.length
      results[at]?.push(await measure(contenders[at] as Contender))
    }
  return results
}
