/** Adds up the usage of several calls of one reply, nested counts included. */
import { isJsonObject } from '#kernel/json/is-json-object.ts'

export type UsageCounts = Record<string, unknown>

export const sumUsage = (one: UsageCounts | undefined, other: UsageCounts | undefined): UsageCounts | undefined => {
  if (!one || !other) return one ?? other
  const sum: UsageCounts = { ...one }
  for (const [name, value] of Object.entries(other)) {
    const before = sum[name]
    if (typeof before === 'number' && typeof value === 'number') sum[name] = before + value
    else if (isJsonObject(before) && isJsonObject(value)) sum[name] = sumUsage(before, value)
    else sum[name] = value ?? before
  }
  return sum
}
