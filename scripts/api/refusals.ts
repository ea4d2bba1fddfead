/** Which refusals a route may answer with by what it declares. What its use case refuses stands with its example. */
import { type ErrorCode, errorTable } from '../../contract/src/errors.ts'
import type { Route } from '../../server/src/kernel/http/route.ts'
import type { Json } from './schemas.ts'

const byAccess: Readonly<Record<string, readonly ErrorCode[]>> = {
  public: [],
  user: ['not_authenticated', 'key_route_not_allowed'],
  signedIn: ['not_authenticated', 'key_route_not_allowed'],
  orgAdmin: ['not_authenticated', 'key_route_not_allowed', 'forbidden'],
  platformOwner: ['not_authenticated', 'forbidden'],
  ingestKey: ['not_authenticated', 'ingest_not_configured'],
  scimToken: ['not_authenticated', 'forbidden'],
  scrape: ['not_authenticated', 'forbidden'],
}

const codesOf = ({ access, path, body, query, upload, method, writes, limits }: Route): ErrorCode[] => {
  const codes: ErrorCode[] = [...(byAccess[access] ?? [])]
  if (path.includes(':')) codes.push('not_found')
  if (body && !upload) codes.push('invalid_json', 'body_too_large', 'unsupported_media_type')
  if (upload) codes.push('invalid_multipart', 'file_too_large', 'file_type_not_allowed')
  if (body || query) codes.push('validation_failed')
  if (limits?.length) codes.push('too_many_requests')
  if (method !== 'GET' && access !== 'public') codes.push('origin_not_allowed')
  if (writes?.reachesOthers) codes.push('email_not_verified')
  if (writes?.whenReadOnly === 'refused' && access !== 'platformOwner') codes.push('trial_expired')
  return codes.length > 0 ? codes : ['invalid_request']
}

export interface Refusals {
  /** The responses of one route, by status. */
  of(route: Route, further: readonly ErrorCode[]): Json
  components: Json
}

export const createRefusals = (): Refusals => {
  const components: Json = {}
  return {
    components,
    of: (route, further) => {
      const codes = [...new Set([...codesOf(route), ...further])].sort()
      const byStatus = Object.groupBy(codes, (code) => errorTable[code].status)
      return Object.fromEntries(
        Object.entries(byStatus).map(([status, some = []]) => {
          const name = some.join('.')
          components[name] ??= responseFor(some)
          return [status, { $ref: `#/components/responses/${name}` }]
        }),
      )
    },
  }
}

const responseFor = (codes: readonly ErrorCode[]): Json => ({
  description: codes.map((code) => `\`${code}\`: ${errorTable[code].sentence}`).join('\n\n'),
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/ErrorBody' },
      examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
    },
  },
})

const exampleOf = (code: ErrorCode): Json => ({
  detail:
    code === 'validation_failed'
      ? [{ loc: ['body', 'name'], msg: 'Enter a name', type: 'missing' }]
      : errorTable[code].sentence,
  code,
  request_id: '018f4e7a-9d2c-7c31-b0b5-1c6f2a9e4d70',
})
