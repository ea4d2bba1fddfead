/** Whether two values say the same as JSON: pure. */

/** Parsed JSON only; the order of keys does not count, nor does the prototype. */
export const isSameJson = (a: unknown, b: unknown): boolean => {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [a, b] as [Record<string, unknown>, Record<string, unknown>]
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isSameJson(left[key], right[key]))
  )
}
