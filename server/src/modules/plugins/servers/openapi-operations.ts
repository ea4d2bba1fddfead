/** The operations of an OpenAPI description as tools, and how to call one. Pure. */
import { isJsonObject } from '#kernel/json/is-json-object.ts'

type Json = Record<string, unknown>

interface Argument {
  name: string
  in: 'path' | 'query'
}

export interface Operation {
  name: string
  description: string
  parameters: Json
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  arguments: Argument[]
  hasBody: boolean
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
const maxOperations = 200
const maxDepth = 12
/** How many parts of schemas are looked at in all: references can multiply. */
const maxParts = 20_000

export const readOperations = (description: unknown): Operation[] => {
  if (!isJsonObject(description) || !isJsonObject(description.paths)) return []
  const resolve = createResolver(description)
  const found: Operation[] = []
  for (const [path, item] of Object.entries(description.paths)) {
    if (!isJsonObject(item)) continue
    for (const method of methods) {
      const operation = item[method]
      if (isJsonObject(operation) && found.length < maxOperations)
        found.push(readOperation({ path, method, operation, shared: item.parameters, resolve }))
    }
  }
  return found
}

interface Reading {
  path: string
  method: (typeof methods)[number]
  operation: Json
  shared: unknown
  resolve(value: unknown): unknown
}

const readOperation = ({ path, method, operation, shared, resolve }: Reading): Operation => {
  const given = [...listIn(shared), ...listIn(operation.parameters)].map(resolve).filter(isJsonObject)
  const used = given.filter((one) => one.in === 'path' || one.in === 'query')
  const properties: Json = {}
  const required: string[] = []
  for (const parameter of used) {
    const name = String(parameter.name)
    const about = typeof parameter.description === 'string' ? { description: parameter.description } : {}
    properties[name] = { ...(isJsonObject(parameter.schema) ? parameter.schema : {}), ...about }
    if (parameter.required === true || parameter.in === 'path') required.push(name)
  }
  const body = bodyOf(resolve(operation.requestBody))
  if (body && isJsonObject(body.properties)) {
    Object.assign(properties, body.properties)
    required.push(...listIn(body.required).map(String))
  }
  return {
    name: String(operation.operationId ?? `${method}_${path}`),
    description: String(operation.description ?? operation.summary ?? ''),
    parameters: { type: 'object', properties, ...(required.length > 0 && { required: [...new Set(required)] }) },
    method: method.toUpperCase() as Operation['method'],
    path,
    arguments: used.map((one) => ({ name: String(one.name), in: one.in as Argument['in'] })),
    hasBody: body !== undefined,
  }
}

const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const bodyOf = (body: unknown): Json | undefined => {
  const content = isJsonObject(body) && isJsonObject(body.content) ? body.content['application/json'] : undefined
  return isJsonObject(content) && isJsonObject(content.schema) ? content.schema : undefined
}

/** Replaces references within the document; what goes too deep or refers to itself becomes "anything". */
const createResolver = (document: Json): ((value: unknown) => unknown) => {
  let left = maxParts
  const resolve = (value: unknown, depth: number, within: readonly string[]): unknown => {
    left -= 1
    if (left < 0 || depth > maxDepth) return {}
    if (Array.isArray(value)) return value.map((one) => resolve(one, depth + 1, within))
    if (!isJsonObject(value)) return value
    const { $ref } = value
    if (typeof $ref === 'string')
      return within.includes($ref) ? {} : resolve(lookUp(document, $ref), depth + 1, [...within, $ref])
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, resolve(one, depth + 1, within)]))
  }
  return (value) => resolve(value, 0, [])
}

const lookUp = (document: Json, reference: string): unknown => {
  if (!reference.startsWith('#/')) return {}
  let found: unknown = document
  for (const part of reference.slice(2).split('/')) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
    found = isJsonObject(found) && Object.hasOwn(found, key) ? found[key] : undefined
  }
  return found ?? {}
}

export interface PreparedRequest {
  method: Operation['method']
  url: string
  body: string | undefined
}

/** An argument can't leave its place: in the path it is one segment, in the query one value. */
export const prepareRequest = (base: string, operation: Operation, args: Json): PreparedRequest => {
  const query = new URLSearchParams()
  const rest = { ...args }
  let { path } = operation
  for (const { name, in: where } of operation.arguments) {
    const value = rest[name]
    delete rest[name]
    if (value === undefined || value === null) continue
    const values = Array.isArray(value)
      ? value.map(String)
      : [typeof value === 'object' ? JSON.stringify(value) : String(value)]
    if (where === 'path') path = path.replaceAll(`{${name}}`, segment(values.join(',')))
    else for (const one of values) query.append(name, one)
  }
  const search = query.size === 0 ? '' : `?${query}`
  return {
    method: operation.method,
    url: `${base.replace(/\/+$/, '')}${path}${search}`,
    body: operation.hasBody ? JSON.stringify(rest) : undefined,
  }
}

/** Two dots would be read as "one up" even when they are encoded. */
const segment = (text: string): string => encodeURIComponent(text).replace(/^\.{1,2}$/, '')
