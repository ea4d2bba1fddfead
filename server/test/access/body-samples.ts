/** Bodies made from a route's own schema: one that is right, and what its documentation calls wrong. */
import { z } from 'zod'
import type { TestApp } from '#test/harness/app.ts'

type Shape = Record<string, z.ZodType>

export const shapeOf = (schema: z.ZodType | undefined): Shape => {
  if (schema instanceof z.ZodObject) return schema.shape as Shape
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return shapeOf(schema.unwrap() as z.ZodType)
  throw new Error('a body is one strict object; teach this file about any other kind')
}

const findValidBody = (app: TestApp, schema: z.ZodType): Record<string, unknown> => {
  const usual = [
    'a perfectly fine passphrase',
    `somebody.${app.unknownId()}@example.test`,
    app.unknownId(),
    true,
    'ACTIVE',
    'NATIVE',
    'ROLE_USER',
    'user',
    'compat',
    'openapi',
    'none',
    'good',
    'bearer',
    'oidc',
    { issuer: 'https://somewhere.example', clientId: 'a-client' },
    'https://somewhere.example',
    'ldaps://directory.example',
    '(mail={login})',
    ['/api/somewhere'],
    ['somewhere.example'],
    'somewhere.example',
    [app.unknownId()],
    { members: 5 },
    { title: 'A chat', models: ['a-model'], messages: [], history: {} },
    [{ chat: { title: 'A chat' } }],
    [{ role: 'user', content: 'text' }],
    Math.floor(Date.now() / 1000) + 86_400 * 365,
    'chancery-workflow',
    'code',
    'S256',
    'NOT_ME',
    'Europe/Lisbon',
    'c'.repeat(43),
    { nodes: [], edges: [] },
    'totp',
    { id: 'AA', rawId: 'AA', type: 'public-key', response: { clientDataJSON: 'e30' } },
    [{ name: 'Entry', type: 'compat', url: 'https://somewhere.example', model_ids: [] }],
    1,
    [],
  ]
  const body = Object.fromEntries(
    Object.entries(shapeOf(schema)).map(([name, field]) => [
      name,
      usual.find((value) => field.safeParse(value).success),
    ]),
  )
  if (!schema.safeParse(body).success) throw new Error(`no sample fits: ${JSON.stringify(body)}`)
  return body
}

/** The first of some usual values that each field takes. A route with another kind of field must be taught here. */
export const validBody = (app: TestApp, schema: z.ZodType): Record<string, unknown> => {
  const body = validBodies.get(schema) ?? findValidBody(app, schema)
  validBodies.set(schema, body)
  return body
}
const validBodies = new WeakMap<z.ZodType, Record<string, unknown>>()

const samples: Record<string, unknown[]> = {
  string: ['text'],
  number: [-1.5, 1e308],
  boolean: [false],
  null: [null],
  array: [[], [[]], ['text']],
  object: [{}, { $ne: null }, { toString: 'x' }],
}

/** Which JSON types the generated documentation names for each field. */
const documentedTypes = (schema: z.ZodType): Record<string, string[]> => {
  const { anyOf = [], ...whole } = z.toJSONSchema(schema, { io: 'input' }) as Documented
  const { properties = {} } = [whole, ...anyOf].find((each) => each.properties) ?? {}
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, typesOf(property)]))
}

interface Documented {
  type?: string
  properties?: Record<string, Documented>
  anyOf?: Documented[]
}

/** A field without a type takes anything. */
const typesOf = ({ type, anyOf }: Documented): string[] => {
  if (type === undefined && anyOf === undefined) return Object.keys(samples)
  return [...[type ?? []].flat().map((one) => (one === 'integer' ? 'number' : one)), ...(anyOf ?? []).flatMap(typesOf)]
}

/**
 * Bodies in which every field has a value of a type that it is not documented to take, until each such type was used.
 * Of a type's values, the next field and the next route get the next one.
 */
export const wrongBodies = (schema: z.ZodType, turn: number): Record<string, unknown>[] => {
  const wrong = Object.entries(documentedTypes(schema)).map(([field, allowed], index): [string, unknown[]] => {
    const types = Object.entries(samples).filter(([type]) => !allowed.includes(type))
    return [field, types.map(([, values]) => values[(turn + index) % values.length])]
  })
  const most = Math.max(0, ...wrong.map(([, values]) => values.length))
  return Array.from({ length: most }, (_, index) =>
    Object.fromEntries(wrong.flatMap(([field, values]) => (index < values.length ? [[field, values[index]]] : []))),
  )
}
