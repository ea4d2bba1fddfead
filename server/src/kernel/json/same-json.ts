/**
 * Compares two values as JSON: the order of keys does not count, and a field that is undefined counts as missing. Pure.
 */
import { isJsonObject } from './is-json-object.ts'

export const isSameJson = (one: unknown, other: unknown): boolean => {
  if (one === other) return true
  if (Array.isArray(one))
    return (
      Array.isArray(other) && one.length === other.length && one.every((item, index) => isSameJson(item, other[index]))
    )
  return isJsonObject(one) && isJsonObject(other) && isCovered(one, other) && isCovered(other, one, isPresent)
}

/** The object's own value, never one that all objects inherit. */
export const ownField = (object: Record<string, unknown>, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined

const isPresent = (_value: unknown, found: unknown): boolean => found !== undefined

const isCovered = (
  object: Record<string, unknown>,
  by: Record<string, unknown>,
  fits: (value: unknown, found: unknown) => boolean = (value, found) => found !== undefined && isSameJson(value, found),
): boolean => {
  for (const name of Object.keys(object)) {
    const value = object[name]
    if (value !== undefined && !fits(value, ownField(by, name))) return false
  }
  return true
}
