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
  options?: readonly z.core.$ZodType[]
  entries?: Record<string, unknown>
  values?: readonly unknown[]
  valueType?: z.core.$ZodType
}

const plain = new Set(['string', 'number', 'int', 'boolean', 'null', 'literal', 'enum', 'unknown'])
const asItIs: Copy = (value) => value

/** A function that copies what the schema names, or undefined where only the schema itself can tell. */
export const copierOf = (schema: z.core.$ZodType): Copy | undefined => {
  const def = schema._zod.def as unknown as Def
  if (plain.has(def.type)) return asItIs
  if (def.type === 'object' && def.shape)
    return isOpen(def) ? openCopier(def.shape, def.catchall) : objectCopier(def.shape)
  if (def.type === 'union' && def.options) return unionCopier(def.options)
  if (def.type === 'record' && def.valueType) return recordCopier(def.valueType)
  if (def.type === 'array' && def.element) return arrayCopier(def.element)
  if ((def.type === 'nullable' || def.type === 'optional') && def.innerType) return maybeCopier(def.innerType)
  return undefined
}

/** A strict object lets out what it names; that it was given more is found in tests. */
const isOpen = (def: Def): def is Def & { catchall: z.core.$ZodType } =>
  def.catchall !== undefined && (def.catchall._zod.def as unknown as Def).type !== 'never'

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

interface Option {
  copy: Copy
  fits(value: unknown): boolean
}

/** Options must be told apart by what they are, or by the names and constants that an object must have. */
const unionCopier = (schemas: readonly z.core.$ZodType[]): Copy | undefined => {
  const options = schemas.map(optionOf)
  if (!options.every((option) => option !== undefined)) return undefined
  return (value) => {
    const option = options.find(({ fits }) => fits(value))
    if (!option) throw new Error('The reply fits none of the shapes that its schema names.')
    return option.copy(value)
  }
}

const optionOf = (schema: z.core.$ZodType): Option | undefined => {
  const def = schema._zod.def as unknown as Def
  const copy = copierOf(schema)
  if (!copy) return undefined
  if (def.type === 'object' && def.shape && !isOpen(def)) {
    const tests = Object.entries(def.shape).map(([name, field]) => [name, fieldTest(field)] as const)
    return { copy, fits: (value) => isObject(value) && tests.every(([name, test]) => test(value[name])) }
  }
  if (def.type === 'union') {
    const options = (def.options ?? []).map(optionOf)
    return { copy, fits: (value) => options.some((option) => option?.fits(value)) }
  }
  return scalars.has(def.type) ? { copy, fits: constantTest(def) ?? ((value) => typeof value === def.type) } : undefined
}

const scalars = new Set(['string', 'number', 'boolean', 'literal', 'enum'])
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const constantTest = ({ type, values, entries }: Def): ((value: unknown) => boolean) | undefined => {
  if (type !== 'literal' && type !== 'enum') return undefined
  const allowed = new Set(values ?? Object.values(entries ?? {}))
  return (value) => allowed.has(value)
}

/** True when an object can be this option, as far as one field tells. */
const fieldTest = (field: z.core.$ZodType): ((value: unknown) => boolean) => {
  const def = field._zod.def as unknown as Def
  if (def.type === 'optional') return () => true
  return constantTest(def) ?? ((value) => value !== undefined)
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
