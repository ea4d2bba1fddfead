/** Pure. The body of a PATCH, as directories really send it: operations in any case, one or many. */
import { z } from 'zod'
import { AppError } from '#kernel/errors.ts'

export type Json = Record<string, unknown>

export interface Operation {
  kind: 'add' | 'replace' | 'remove'
  path: string | undefined
  value: unknown
}

const mostOperations = 1000

const Given = z.object({
  op: z
    .string()
    .transform((op) => op.toLowerCase())
    .pipe(z.enum(['add', 'replace', 'remove'])),
  path: z.string().nullish(),
  value: z.unknown().optional(),
})

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A field by its name in any case: attribute names have none (RFC 7643, 2.1). */
export const fieldOf = (object: Json, name: string): unknown => {
  if (name in object) return object[name]
  const key = Object.keys(object).find((each) => each.toLowerCase() === name.toLowerCase())
  return key === undefined ? undefined : object[key]
}

export const requireObject = (body: unknown): Json => {
  if (isObject(body)) return body
  throw new AppError('scim_invalid_syntax', { detail: 'The body must be a JSON object.' })
}

export const readOperations = (body: unknown): Operation[] => {
  const given = fieldOf(requireObject(body), 'operations')
  if (!Array.isArray(given)) throw new AppError('scim_invalid_syntax', { detail: 'The body has no “Operations”.' })
  if (given.length > mostOperations)
    throw new AppError('body_too_large', { detail: `A request may have ${mostOperations} operations.` })
  return given.map(readOperation)
}

const readOperation = (given: unknown): Operation => {
  const { success, data } = Given.safeParse(isObject(given) ? { ...lowered(given) } : given)
  if (!success)
    throw new AppError('scim_invalid_syntax', { detail: 'Each operation needs “op”: add, replace or remove.' })
  const { op: kind, path, value } = data
  if (kind === 'remove' && !path) throw new AppError('scim_no_target', { detail: '“remove” needs a path.' })
  if (kind !== 'remove' && !path && !isObject(value))
    throw new AppError('scim_invalid_syntax', { detail: 'Without a path, the value must be an object.' })
  return { kind, path: path || undefined, value }
}

const lowered = (given: Json): Json => ({
  op: fieldOf(given, 'op'),
  path: fieldOf(given, 'path'),
  value: fieldOf(given, 'value'),
})

/** `[{"value": "x"}]` and `{"value": "x"}` where a single value belongs. */
export const single = (value: unknown): unknown => {
  const one = Array.isArray(value) && value.length === 1 ? value[0] : value
  return isObject(one) && 'value' in one ? one.value : one
}
