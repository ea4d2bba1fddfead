/**
 * Replies to JSON. What leaves is exactly what the schema names: a field that a row has and the schema does not never
 * gets out. Checking every value against its format as well would cost more than the rest of a small request, so that
 * is done where it teaches something: in tests and in development.
 */
import { serializerCompiler } from 'fastify-type-provider-zod'
import type { z } from 'zod'

type Copy = (value: unknown) => unknown

interface Def {
  type: string
  shape?: Record<string, z.core.$ZodType>
  element?: z.core.$ZodType
  innerType?: z.core.$ZodType
  catchall?: z.core.$ZodType
}

const plain = new Set(['string', 'number', 'int', 'boolean', 'null', 'literal', 'enum'])
const asItIs: Copy = (value) => value

/** A function that copies what the schema names, or undefined where only the schema itself can tell. */
export const copierOf = (schema: z.core.$ZodType): Copy | undefined => {
  const def = schema._zod.def as unknown as Def
  if (plain.has(def.type)) return asItIs
  if (def.type === 'object' && def.shape && !def.catchall) return objectCopier(def.shape)
  if (def.type === 'array' && def.element) return arrayCopier(def.element)
  if ((def.type === 'nullable' || def.type === 'optional') && def.innerType) return maybeCopier(def.innerType)
  return undefined
}

const objectCopier = (shape: Record<string, z.core.$ZodType>): Copy | undefined => {
  const fields: [string, Copy][] = []
  for (const [name, field] of Object.entries(shape)) {
    const copy = copierOf(field)
    if (!copy) return undefined
    fields.push([name, copy])
  }
  return (value) => {
    const source = value as Record<string, unknown>
    const target: Record<string, unknown> = {}
    for (const [name, copy] of fields) if (source[name] !== undefined) target[name] = copy(source[name])
    return target
  }
}

const arrayCopier = (element: z.core.$ZodType): Copy | undefined => {
  const copy = copierOf(element)
  return copy && ((value) => (value as unknown[]).map(copy))
}

const maybeCopier = (inner: z.core.$ZodType): Copy | undefined => {
  const copy = copierOf(inner)
  return copy && ((value) => (value === null || value === undefined ? value : copy(value)))
}

export const replySerializer = ({ isChecked }: { isChecked: boolean }): typeof serializerCompiler => {
  if (isChecked) return serializerCompiler
  return (route) => {
    const copy = copierOf(route.schema as z.core.$ZodType)
    return copy ? (reply) => JSON.stringify(copy(reply)) : serializerCompiler(route)
  }
}
