/** Measures JSON without writing it: writing a value that holds the same text thousands of times takes all memory. Pure. */

/**
 * The rest of an allowance after the texts, keys and items of a value; negative where it is not enough. Their JSON is
 * longer, up to six times where all of it has to be escaped.
 */
export const lengthLeft = (value: unknown, allowed: number): number => {
  if (typeof value === 'string') return allowed - value.length
  if (typeof value !== 'object' || value === null) return allowed - 1
  return Array.isArray(value) ? leftAfterItems(value, allowed) : leftAfterFields(value, allowed)
}

const leftAfterItems = (items: readonly unknown[], allowed: number): number => {
  let left = allowed
  for (const item of items) {
    left = lengthLeft(item, left - 1)
    if (left < 0) break
  }
  return left
}

/** No list of all fields is made: of an object with 60,000 of them, only those that fit are looked at. */
const leftAfterFields = (fields: object, allowed: number): number => {
  let left = allowed
  for (const name in fields) {
    left = lengthLeft((fields as Record<string, unknown>)[name], left - name.length)
    if (left < 0) break
  }
  return left
}
