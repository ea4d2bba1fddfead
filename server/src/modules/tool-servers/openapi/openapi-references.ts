/** Replaces the references of an OpenAPI description by what they name. Pure. */
import { isJsonObject } from '#kernel/json/is-json-object.ts'

type Json = Record<string, unknown>

const maxDepth = 12
/** The most parts that are looked at, for one operation and in all: references can multiply. */
const maxPartsOfOne = 10_000
const maxParts = 200_000

export type Resolve = (value: unknown) => unknown

/**
 * Makes a resolver for each operation, so that one without measure costs only itself. What goes too deep or refers to
 * itself becomes "anything".
 */
export const createResolvers = (document: Json): (() => Resolve) => {
  let leftInAll = maxParts
  return () => {
    let left = maxPartsOfOne
    const resolve = (value: unknown, depth: number, within: readonly string[]): unknown => {
      left -= 1
      leftInAll -= 1
      if (left < 0 || leftInAll < 0 || depth > maxDepth) return {}
      if (Array.isArray(value)) return value.map((one) => resolve(one, depth + 1, within))
      if (!isJsonObject(value)) return value
      const { $ref } = value
      if (typeof $ref === 'string')
        return within.includes($ref) ? {} : resolve(lookUp(document, $ref), depth + 1, [...within, $ref])
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, resolve(one, depth + 1, within)]))
    }
    return (value) => resolve(value, 0, [])
  }
}

const lookUp = (document: Json, reference: string): unknown => {
  if (!reference.startsWith('#/')) return {}
  let found: unknown = document
  for (const part of reference.slice(2).split('/')) {
    const key = decode(part).replaceAll('~1', '/').replaceAll('~0', '~')
    found = isJsonObject(found) && Object.hasOwn(found, key) ? found[key] : undefined
  }
  return found ?? {}
}

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
