/** `docs/openapi.json`: the API as OpenAPI 3.1, from the routes and the schemas that validate. */
import { z } from 'zod'
import { ErrorBody } from '../../contract/src/errors.ts'
import type { Route } from '../../server/src/kernel/http/route.ts'
import { areas } from './areas.ts'
import { readEndpointNames, readSchemaNames } from './contract-names.ts'
import { describeOperation, operationIdOf, templateOf } from './operation.ts'
import { createRefusals } from './refusals.ts'
import { describeSchemas, type Json, reachable } from './schemas.ts'

const description = `Everything that the web app does, it does by this API, and so can you.

Send an API key (Account, *API keys*) or the token of a sign-in as \`Authorization: Bearer …\`. Bodies and replies are JSON unless an operation says otherwise. Times are named by their fields: milliseconds since 1970, or ISO 8601.

Every refusal has the body \`{"detail", "code", "request_id"}\`; codes are stable. What belongs to somebody else answers like what doesn't exist: 404. Replies may get new fields; ignore those that you don't know.`

/** Routes in the order of the alphabet, so that a change of one is a change of its lines. */
export const describeApi = async (routes: readonly Route[], version: string): Promise<Json> => {
  const [schemaNames, names] = await Promise.all([readSchemaNames(), readEndpointNames()])
  const input = new Map<string, z.ZodType>()
  const output = new Map([['ErrorBody', ErrorBody as z.ZodType]])
  for (const route of routes) {
    const id = operationIdOf(route, names).replace('.', '_')
    if (route.body) input.set(`${id}_Body`, route.body)
    if (route.query) input.set(`${id}_Query`, route.query)
    if (route.reply instanceof z.ZodType) output.set(`${id}_Reply`, route.reply)
  }
  const schemas = describeSchemas(schemaNames, { input, output })
  const refusals = createRefusals()
  const paths: Record<string, Json> = {}
  for (const route of routes.toSorted((one, other) => (one.path < other.path ? -1 : 1))) {
    const path = templateOf(route.path)
    const operation = describeOperation(route, { names, schemas, refusals })
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation }
  }
  const responses = refusals.components
  return {
    openapi: '3.1.0',
    info: { title: 'Chancery', version, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/', description: 'This instance' }],
    security: [{ bearer: [] }, { cookie: [] }],
    tags: areas.map(({ tag, description }) => ({ name: tag, description })),
    paths,
    components: {
      schemas: reachable(schemas.components, [paths, responses]),
      responses: Object.fromEntries(Object.entries(responses).sort(([one], [other]) => (one < other ? -1 : 1))),
      parameters: {
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          description: 'For a day, the same key from the same caller gets what the first request made.',
          schema: { type: 'string', maxLength: 200 },
        },
      },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key, or the token of a sign-in.' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'token', description: 'The cookie that a sign-in sets.' },
        scim: { type: 'http', scheme: 'bearer', description: 'A token of `/api/org/scim-tokens`.' },
        ingestKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: '`SVC_EVENT_API_KEY`.' },
      },
    },
  }
}
