/** How large a value is that goes to a thread or comes from one. Pure. */

/** What an item or a field costs beside its text. */
const perItem = 8

/** The rest of an allowance of bytes; negative where the value is larger. It stops counting there. */
export const bytesLeft = (value: unknown, allowed: number): number => {
  if (typeof value === 'string') return allowed - value.length
  if (ArrayBuffer.isView(value)) return allowed - value.byteLength
  if (typeof value !== 'object' || value === null) return allowed - perItem
  let left = allowed
  if (Array.isArray(value)) {
    for (const item of value) {
      left = bytesLeft(item, left - perItem)
      if (left < 0) break
    }
    return left
  }
  for (const name in value) {
    left = bytesLeft((value as Record<string, unknown>)[name], left - perItem - name.length)
    if (left < 0) break
  }
  return left
}
