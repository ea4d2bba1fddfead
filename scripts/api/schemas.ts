/** JSON Schemas of what routes take and answer. What the contract names is written once and referred to. */
import { z } from 'zod'
import { readSchemaComments } from './contract-comments.ts'

export type Json = { [key: string]: unknown }
type Io = 'input' | 'output'

interface Uses {
  input: ReadonlyMap<string, z.ZodType>
  output: ReadonlyMap<string, z.ZodType>
}

export interface Schemas {
  components: Json
  refTo(schema: z.ZodType, io: Io): Json
  /** The fields of a query. */
  fieldsOf(schema: z.ZodType): { properties: Record<string, Json>; required: readonly string[] }
}

const prefix = '#/components/schemas/'

/**
 * Replies get new fields, which a client has to ignore: only strict objects forbid them. What a format says, or what every
 * number in JavaScript can hold, is not said again.
 */
const simplify = ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: Json }): void => {
  if (zodSchema._zod.def.type === 'object' && !zodSchema._zod.def.catchall) delete jsonSchema.additionalProperties
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

const generate = (names: ReadonlyMap<z.ZodType, string>, io: Io): Record<string, Json> => {
  const registry = z.registry<{ id: string }>()
  for (const [schema, id] of names) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, {
    io,
    unrepresentable: 'any',
    override: simplify as never,
    uri: (id) => `${prefix}${id}`,
  })
  return Object.fromEntries(
    Object.entries(schemas as Record<string, Json>).map(([id, { $schema, $id, ...schema }]) => [id, schema]),
  )
}

const renamed = (schema: Json, rename: (id: string) => string): string =>
  JSON.stringify(schema, (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? `${prefix}${rename(value.slice(prefix.length))}` : value,
  )

/** The names whose schema is the same for what is sent and what is answered, down to what it refers to. */
const namesForBoth = (input: Record<string, Json>, output: Record<string, Json>): Set<string> => {
  const same = new Set(Object.keys(output))
  const forInput = (id: string) => (same.has(id) ? id : `${id}Input`)
  let isStable = false
  while (!isStable) {
    const other = [...same].filter(
      (id) => renamed(input[id] ?? {}, forInput) !== renamed(output[id] ?? {}, (one) => one),
    )
    for (const id of other) same.delete(id)
    isStable = other.length === 0
  }
  return same
}

export const describeSchemas = (contractNames: ReadonlyMap<z.ZodType, string>, uses: Uses): Schemas => {
  const names = new Map(contractNames)
  for (const [id, schema] of [...uses.input, ...uses.output]) if (!names.has(schema)) names.set(schema, id)
  const input = generate(names, 'input')
  const output = generate(names, 'output')
  const same = namesForBoth(input, output)
  const forInput = (id: string) => (same.has(id) ? id : `${id}Input`)
  const asInput = (schema: Json): Json => JSON.parse(renamed(schema, forInput)) as Json
  const components = Object.fromEntries([
    ...Object.entries(output),
    ...Object.entries(input).flatMap(([id, schema]) => (same.has(id) ? [] : [[forInput(id), asInput(schema)]])),
  ])
  for (const [id, schema] of Object.entries(components)) addComments(id, schema as Json)
  const idOf = (schema: z.ZodType, io: Io): string => {
    const id = names.get(schema) ?? ''
    return io === 'input' ? forInput(id) : id
  }
  return {
    components,
    refTo: (schema, io) => ({ $ref: `${prefix}${idOf(schema, io)}` }),
    fieldsOf: (schema) => {
      const described = components[idOf(schema, 'input')] as Partial<ReturnType<Schemas['fieldsOf']>>
      const { properties = {}, required = [] } = described
      // A record takes whatever another service appends to our address.
      if (!('type' in described)) throw new Error(`The query ${names.get(schema)} is no object.`)
      return { properties, required }
    },
  }
}

const comments = readSchemaComments()

const addComments = (id: string, schema: Json): void => {
  const said = comments.get(id) ?? comments.get(id.replace(/Input$/, ''))
  if (said?.about && schema.description === undefined) schema.description = said.about
  const properties = (schema.properties ?? {}) as Record<string, Json>
  for (const [name, text] of said?.fields ?? [])
    if (properties[name] && properties[name].description === undefined) properties[name].description = text
}

/** Only what paths lead to, in the order of the alphabet. */
export const reachable = (components: Json, from: unknown): Json => {
  const found = new Set<string>()
  const visit = (part: unknown): void => {
    for (const [, id = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (found.has(id)) continue
      found.add(id)
      visit(components[id])
    }
  }
  visit(from)
  return Object.fromEntries([...found].sort().map((id) => [id, components[id]]))
}
