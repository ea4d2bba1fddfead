/** Measures JSON without writing it: writing a value that holds the same text thousands of times takes all memory. Pure. */

/**
 * The rest of an allowance after the texts, keys and items of a value; negative where it is not enough. Their JSON is
 * longer, up to six times where all of it has to be escaped.
 */
export const lengthLeft = (value: unknown, allowed: number): number => {
  if (typeof value === 'string') return allowed - value.length
  if (typeof value !== 'object' || value === null) return allowed - 1
  let left = allowed
  for (const [name, item] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    left = lengthLeft(item, left - (typeof name === 'string' ? name.length : 1))
    if (left < 0) break
  }
  return left
}
