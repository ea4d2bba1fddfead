/** One route as OpenAPI describes it. */
import type { Route } from '../../server/src/kernel/http/route.ts'
import { tagOf } from './areas.ts'
import { type EndpointName, keyOf } from './contract-names.ts'
import { type Example, examples } from './examples/index.ts'
import { mediaOf } from './media.ts'
import type { Refusals } from './refusals.ts'
import type { Json, Schemas } from './schemas.ts'

const callers: Readonly<Record<string, string>> = {
  public: 'For anybody: no credential is needed.',
  user: "For people: a person's token, cookie or API key.",
  signedIn: 'For people and platform admins.',
  orgAdmin: 'For administrators of the organization.',
  platformOwner: 'For platform admins.',
  ingestKey: "For people, and for holders of the instance's ingest key.",
  scimToken: "For an organization's directory, with its token.",
  scrape: 'For platform admins, and for Prometheus with `METRICS_TOKEN`.',
}

const securityOf = (access: string): Json[] => {
  if (access === 'public') return []
  if (access === 'ingestKey') return [{ bearer: [] }, { cookie: [] }, { ingestKey: [] }]
  if (access === 'scimToken') return [{ scim: [] }]
  return [{ bearer: [] }, { cookie: [] }]
}

const statusTexts: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted; it goes on in the background',
  204: 'Done; the reply is empty',
  302: 'Go on at the address in `Location`',
}

export const operationIdOf = (route: Route, names: ReadonlyMap<string, EndpointName>): string =>
  names.get(keyOf(route))?.id ??
  keyOf(route)
    .toLowerCase()
    .replace(/[*]$/, 'one')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/_$/, '')

/** `/a/:id/*` → `/a/{id}/{rest}`. */
export const templateOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{rest}')

const descriptionOf = ({ access, limits = [] }: Route, example: Example | undefined): string => {
  const limited = limits.map(
    ({ max, windowSec, per }) =>
      `At most ${max} calls in ${windowSec} s per ${per === 'actor' ? 'caller' : 'address'}.`,
  )
  const who = [callers[access] ?? '', ...limited].join(' ')
  return example?.note === undefined ? who : `${example.note}\n\n${who}`
}

const idSchema = (name: string): Json =>
  /(^id|Id)$/.test(name) ? { type: 'string', format: 'uuid' } : { type: 'string' }

const parametersOf = (route: Route, schemas: Schemas, example: Example | undefined): Json[] => {
  const inPath = [...templateOf(route.path).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const value = example?.params?.[name]
    return { name, in: 'path', required: true, schema: idSchema(name), ...(value !== undefined && { example: value }) }
  })
  const { properties, required } = route.query ? schemas.fieldsOf(route.query) : { properties: {}, required: [] }
  const inQuery = Object.entries(properties).map(([name, schema]) => {
    const value = example?.query?.[name]
    return {
      name,
      in: 'query',
      ...(required.includes(name) && { required: true }),
      schema,
      ...(value !== undefined && { example: value }),
    }
  })
  return [...inPath, ...inQuery, ...(route.takesKey ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : [])]
}

const bodyTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  bytes: 'application/octet-stream',
  stream: 'application/octet-stream',
} as const

const uploadBody = ({ upload, body }: Route, schemas: Schemas): Json => {
  const name = upload?.field ?? 'file'
  const bytes = { type: 'string', contentMediaType: upload?.types?.join(', ') ?? 'application/octet-stream' }
  const several = (upload?.maxFiles ?? 1) > 1
  const files = { type: 'object', properties: { [name]: several ? { type: 'array', items: bytes } : bytes } }
  const schema = body ? { allOf: [files, schemas.refTo(body, 'input')] } : files
  return { content: { 'multipart/form-data': { schema } } }
}

const requestBodyOf = (route: Route, schemas: Schemas, example: Example | undefined): Json => {
  if (route.upload) return { requestBody: { required: true, ...uploadBody(route, schemas) } }
  const type = bodyTypes[route.accepts ?? 'json']
  const given = example?.body === undefined ? {} : { example: example.body }
  if (route.body)
    return {
      requestBody: { required: true, content: { [type]: { schema: schemas.refTo(route.body, 'input'), ...given } } },
    }
  return route.accepts ? { requestBody: { required: true, content: { [type]: { schema: {} } } } } : {}
}

const successOf = (
  route: Route,
  id: string,
  { schemas, example }: { schemas: Schemas; example: Example | undefined },
) => {
  const { reply } = route
  const status = reply === 'redirect' ? 302 : (route.status ?? (reply ? 200 : 204))
  const description = statusTexts[status] ?? 'OK'
  if (reply === 'redirect')
    return { [status]: { description, headers: { location: { schema: { type: 'string', format: 'uri-reference' } } } } }
  if (!reply) return { [status]: { description } }
  if (reply !== 'raw') {
    const given = example?.reply === undefined ? {} : { example: example.reply }
    return {
      [status]: { description, content: { 'application/json': { schema: schemas.refTo(reply, 'output'), ...given } } },
    }
  }
  const content = mediaOf(id) as Record<string, Json>
  for (const [type, value] of Object.entries(example?.raw ?? {})) content[type] = { ...content[type], example: value }
  return { [status]: { description, content } }
}

interface Parts {
  names: ReadonlyMap<string, EndpointName>
  schemas: Schemas
  refusals: Refusals
}

export const describeOperation = (route: Route, { names, schemas, refusals }: Parts): Json => {
  const id = operationIdOf(route, names)
  const example = examples.get(keyOf(route))
  const parameters = parametersOf(route, schemas, example)
  return {
    operationId: id,
    tags: [tagOf(names.get(keyOf(route))?.area)],
    summary: route.summary,
    description: descriptionOf(route, example),
    'x-access': route.access,
    security: securityOf(route.access),
    ...(parameters.length > 0 && { parameters }),
    ...requestBodyOf(route, schemas, example),
    responses: {
      ...successOf(route, id, { schemas, example }),
      ...refusals.of(route, example?.errors ?? []),
    },
  }
}
