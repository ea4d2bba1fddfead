/** The operations of an OpenAPI description as tools. Pure. */
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import { listIn, type OperationBody, readBody } from './openapi-body.ts'
import { createResolvers, type Resolve } from './openapi-references.ts'

type Json = Record<string, unknown>

interface Argument {
  name: string
  in: 'path' | 'query' | 'header'
}

export interface Operation {
  name: string
  description: string
  parameters: Json
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  arguments: Argument[]
  body: Pick<OperationBody, 'encoding' | 'argument'> | undefined
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
const maxOperations = 200

/** `givenHeaders` are sent with every request anyway, by their lower-case names: the model isn't asked for them. */
export const readOperations = (description: unknown, givenHeaders: ReadonlySet<string> = new Set()): Operation[] => {
  if (!isJsonObject(description) || !isJsonObject(description.paths)) return []
  const newResolver = createResolvers(description)
  const found = new Map<string, Operation>()
  for (const [path, item] of Object.entries(description.paths)) {
    if (!isJsonObject(item)) continue
    for (const method of methods) {
      const operation = item[method]
      if (!isJsonObject(operation) || found.size >= maxOperations) continue
      const reading = { path, method, operation, shared: item.parameters, resolve: newResolver(), givenHeaders }
      const read = readOperation(reading)
      if (!found.has(read.name)) found.set(read.name, read)
    }
  }
  return [...found.values()]
}

interface Reading {
  path: string
  method: (typeof methods)[number]
  operation: Json
  shared: unknown
  resolve: Resolve
  givenHeaders: ReadonlySet<string>
}

const readOperation = ({ path, method, operation, shared, resolve, givenHeaders }: Reading): Operation => {
  const given = [...listIn(shared), ...listIn(operation.parameters)].map(resolve).filter(isJsonObject)
  const used = given.flatMap((one) => argumentIn(one, givenHeaders))
  const properties: Json = {}
  const required: string[] = []
  for (const { name, in: where, parameter } of used) {
    const about = typeof parameter.description === 'string' ? { description: parameter.description } : {}
    properties[name] = { ...(isJsonObject(parameter.schema) ? parameter.schema : {}), ...about }
    if (parameter.required === true || where === 'path') required.push(name)
  }
  const body = readBody(resolve(operation.requestBody), new Set(Object.keys(properties)))
  Object.assign(properties, body?.properties)
  required.push(...(body?.required ?? []))
  return {
    name: String(operation.operationId ?? `${method}_${path}`),
    description: String(operation.description ?? operation.summary ?? ''),
    parameters: { type: 'object', properties, ...(required.length > 0 && { required: [...new Set(required)] }) },
    method: method.toUpperCase() as Operation['method'],
    path,
    arguments: used.map(({ name, in: where }) => ({ name, in: where })),
    body: body && { encoding: body.encoding, argument: body.argument },
  }
}

const argumentIn = (parameter: Json, givenHeaders: ReadonlySet<string>): (Argument & { parameter: Json })[] => {
  const { name, in: where } = parameter
  if (typeof name !== 'string') return []
  if (where === 'header') return isOpenHeader(name, givenHeaders) ? [{ name, in: where, parameter }] : []
  return where === 'path' || where === 'query' ? [{ name, in: where, parameter }] : []
}

/** Headers that say who asks, or how the request is sent, are nobody's to choose; OpenAPI leaves some of them out itself. */
const ownHeader =
  /^(accept|authorization|connection|content-.*|cookie|date|expect|forwarded|host|keep-alive|origin|proxy-.*|referer|sec-.*|te|trailer|transfer-encoding|upgrade|user-agent|via|x-forwarded-.*|x-real-ip)$/

const isOpenHeader = (name: string, givenHeaders: ReadonlySet<string>): boolean => {
  const lower = name.toLowerCase()
  return /^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name) && !ownHeader.test(lower) && !givenHeaders.has(lower)
}
