/** Estimates from histograms. Pure. */
import type { Figures } from './measures.ts'

/**
 * The value that this share of what was observed doesn't exceed, taken to be spread evenly within its bucket; null without
 * observations. Buckets are named `<name> <upper bound>` and include those below. What is above all bounds counts as the highest.
 */
export const quantileOf = (figures: Figures, name: string, share: number): number | null => {
  const buckets = Object.entries(figures)
    .flatMap(([key, count]) =>
      key.startsWith(`${name} `) ? [{ bound: boundOf(key.slice(name.length + 1)), count }] : [],
    )
    .sort((one, other) => one.bound - other.bound)
  const wanted = (buckets.at(-1)?.count ?? 0) * share
  if (wanted === 0) return null
  let below = { bound: 0, count: 0 }
  for (const bucket of buckets) {
    if (bucket.count >= wanted) {
      if (bucket.bound === Number.POSITIVE_INFINITY) return below.bound
      return below.bound + ((bucket.bound - below.bound) * (wanted - below.count)) / (bucket.count - below.count)
    }
    below = bucket
  }
  return below.bound
}

const boundOf = (text: string): number => (text === '+Inf' ? Number.POSITIVE_INFINITY : Number(text))
