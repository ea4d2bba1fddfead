/** What the victims of an attack may notice. Pure. */

/** One thing a victim did. */
export interface Sample {
  ms: number
  /** Why it failed. */
  problem?: string
}

export interface Figures {
  count: number
  median: number
  p95: number
  worst: number
  /** The problems of those that failed, each as often as it came. */
  problems: string[]
}

/**
 * The noise of a machine whose two cores the attacker's own work, the victims, both nodes and PostgreSQL share: what a
 * median may rise by without anybody being held up.
 */
export const noiseMs = 250
const mostTimes = 2

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.POSITIVE_INFINITY

/** Times are those of what succeeded. */
export const figuresOf = (samples: readonly Sample[]): Figures => {
  const sorted = samples.flatMap(({ ms, problem }) => (problem === undefined ? ms : [])).sort((a, b) => a - b)
  return {
    count: samples.length,
    median: at(sorted, 0.5),
    p95: at(sorted, 0.95),
    worst: sorted.at(-1) ?? Number.POSITIVE_INFINITY,
    problems: samples.flatMap(({ problem }) => problem ?? []),
  }
}

export const ratioOf = (quiet: Figures, attacked: Figures): number => attacked.median / quiet.median

/** What somebody says who has waited too long: like slowness, the machine's fault where it is busy with something else. */
export const gaveUp = 'gave up'

/** A victim that was held up. */
export const findSlow = (victim: string, quiet: Figures, attacked: Figures): string[] => {
  const impatient = attacked.problems.filter((problem) => problem === gaveUp).length
  return [
    ...(attacked.median > quiet.median * mostTimes + noiseMs
      ? [`${victim}: ${Math.round(attacked.median)} ms, when quiet ${Math.round(quiet.median)} ms`]
      : []),
    ...(impatient > 0 ? [`${victim}: ${impatient} of ${attacked.count} ${gaveUp}`] : []),
  ]
}

/** What a victim lost. */
export const findLost = (victim: string, { problems, count }: Figures): string[] =>
  [...Map.groupBy(problems, (problem) => problem)]
    .filter(([problem]) => problem !== gaveUp)
    .map(([problem, { length }]) => `${victim}: ${length} of ${count} failed: ${problem}`)
