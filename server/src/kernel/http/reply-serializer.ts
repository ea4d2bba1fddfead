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
  valueType?: z.core.$ZodType
}

const plain = new Set(['string', 'number', 'int', 'boolean', 'null', 'literal', 'enum', 'unknown'])
const asItIs: Copy = (value) => value

/** A function that copies what the schema names, or undefined where only the schema itself can tell. */
export const copierOf = (schema: z.core.$ZodType): Copy | undefined => {
  const def = schema._zod.def as unknown as Def
  if (plain.has(def.type)) return asItIs
  if (def.type === 'object' && def.shape)
    return def.catchall ? openCopier(def.shape, def.catchall) : objectCopier(def.shape)
  if (def.type === 'record' && def.valueType) return recordCopier(def.valueType)
  if (def.type === 'array' && def.element) return arrayCopier(def.element)
  if ((def.type === 'nullable' || def.type === 'optional') && def.innerType) return maybeCopier(def.innerType)
  return undefined
}

const fieldCopiers = (shape: Record<string, z.core.$ZodType>): [string, Copy][] | undefined => {
  const fields: [string, Copy][] = []
  for (const [name, field] of Object.entries(shape)) {
    const copy = copierOf(field)
    if (!copy) return undefined
    fields.push([name, copy])
  }
  return fields
}

const objectCopier = (shape: Record<string, z.core.$ZodType>): Copy | undefined => {
  const fields = fieldCopiers(shape)
  if (!fields) return undefined
  return (value) => {
    const source = value as Record<string, unknown>
    const target: Record<string, unknown> = {}
    for (const [name, copy] of fields) if (source[name] !== undefined) target[name] = copy(source[name])
    return target
  }
}

/** An object that says it may hold anything: as it is, but for the fields whose insides are named. */
const openCopier = (shape: Record<string, z.core.$ZodType>, rest: z.core.$ZodType): Copy | undefined => {
  const fields = (rest._zod.def as unknown as Def).type === 'unknown' ? fieldCopiers(shape) : undefined
  const deep = fields?.filter(([, copy]) => copy !== asItIs)
  if (!deep) return undefined
  if (deep.length === 0) return asItIs
  return (value) => {
    const target: Record<string, unknown> = { ...(value as Record<string, unknown>) }
    for (const [name, copy] of deep) if (target[name] !== undefined) target[name] = copy(target[name])
    return target
  }
}

const recordCopier = (valueType: z.core.$ZodType): Copy | undefined => {
  const copy = copierOf(valueType)
  if (!copy || copy === asItIs) return copy
  return (value) =>
    Object.fromEntries(Object.entries(value as Record<string, unknown>).map(([key, item]) => [key, copy(item)]))
}

const arrayCopier = (element: z.core.$ZodType): Copy | undefined => {
  const copy = copierOf(element)
  if (!copy || copy === asItIs) return copy
  return (value) => (value as unknown[]).map(copy)
}

const maybeCopier = (inner: z.core.$ZodType): Copy | undefined => {
  const copy = copierOf(inner)
  if (!copy || copy === asItIs) return copy
  return (value) => (value === null || value === undefined ? value : copy(value))
}

export const replySerializer = ({ isChecked }: { isChecked: boolean }): typeof serializerCompiler => {
  if (isChecked) return serializerCompiler
  return (route) => {
    const copy = copierOf(route.schema as z.core.$ZodType)
    return copy ? (reply) => JSON.stringify(copy(reply)) : serializerCompiler(route)
  }
}
