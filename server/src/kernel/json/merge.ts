/**
 * The one JSON merge. A key named `__proto__`, `constructor` or `prototype`, at any depth of either side, is refused:
 * merges that let it through have let strangers change every object of a process (CVE-2026-110848 and its family).
 *
 * What a patch does, key by key (like RFC 7396, except for null):
 * - an object merges into an object; where the target holds anything else, the object replaces it
 * - an array, a string, a number, a boolean and **null** replace what was there; null never deletes a key
 * - a key that the patch does not hold, or holds as undefined, stays as it is
 *
 * The result shares nothing with its arguments, and its objects have no prototype: reading `result[id]` with an id
 * such as `toString` finds what was stored, or nothing.
 */
import { AppError } from '../errors.ts'
import { isJsonObject } from './is-json-object.ts'

const maxDepth = 64
const unsafeKeys = new Set(['__proto__', 'constructor', 'prototype'])

type JsonObject = Record<string, unknown>

/** Both sides are parsed JSON; anything deeper than 64 levels is refused. */
export const mergeJson = (target: unknown, patch: unknown): unknown => mergeAt(target, patch, 0)

/** For values that are stored as they came, without a merge. */
export const assertSafeKeys = (value: unknown): void => assertSafeAt(value, 0)

const assertSafeAt = (value: unknown, depth: number): void => {
  if (typeof value !== 'object' || value === null) return
  assertDepth(depth)
  if (isJsonObject(value)) for (const key of safeKeysOf(value)) assertSafeAt(value[key], depth + 1)
  else for (const item of value as unknown[]) assertSafeAt(item, depth + 1)
}

const mergeAt = (target: unknown, patch: unknown, depth: number): unknown => {
  if (patch === undefined) return copyAt(target, depth)
  if (!isJsonObject(target) || !isJsonObject(patch)) return copyAt(patch, depth)
  const merged = emptyObjectAt(depth)
  for (const key of safeKeysOf(target)) if (!Object.hasOwn(patch, key)) merged[key] = copyAt(target[key], depth + 1)
  for (const key of safeKeysOf(patch)) {
    const kept = Object.hasOwn(target, key) ? target[key] : undefined
    const value = mergeAt(kept, patch[key], depth + 1)
    if (value !== undefined) merged[key] = value
  }
  return merged
}

const copyAt = (value: unknown, depth: number): unknown => {
  if (Array.isArray(value)) {
    assertDepth(depth)
    return value.map((item) => copyAt(item, depth + 1))
  }
  if (!isJsonObject(value)) return value
  const copy = emptyObjectAt(depth)
  for (const key of safeKeysOf(value)) copy[key] = copyAt(value[key], depth + 1)
  return copy
}

const emptyObjectAt = (depth: number): JsonObject => {
  assertDepth(depth)
  return Object.create(null) as JsonObject
}

const assertDepth = (depth: number): void => {
  if (depth >= maxDepth) throw new AppError('invalid_request', { detail: 'The value is nested too deeply.' })
}

const safeKeysOf = (value: JsonObject): string[] => {
  const keys = Object.keys(value)
  if (keys.some((key) => unsafeKeys.has(key))) throw new AppError('unsafe_key')
  return keys
}
