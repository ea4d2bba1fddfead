/** The provider's admin REST calls, as far as we use them: the same paths, statuses and bodies, over the test directory. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { IdpDirectory, IdpPerson } from './idp-directory.ts'

export interface AdminFaults {
  /** The realm has no working mail server. */
  mail?: 'fails'
  /** Refuses this many calls with 401, as if the token had been revoked. */
  staleTokens?: number
  /** Every admin call fails with this status. */
  status?: number
  /** Reads work, every write fails with 503. */
  refusesWrites?: boolean
  /** The service account may manage users, but not look into roles. */
  refusesRoles?: boolean
}

interface Options {
  directory: IdpDirectory
  /** Realm roles that exist, by name. */
  roles: readonly string[]
  isToken(token: string): Promise<boolean>
  faults: AdminFaults
  /** `METHOD /users/…`, in order. */
  calls: string[]
}

interface Call {
  method: string
  path: string
  query: URLSearchParams
  body: unknown
}

interface Answer {
  status: number
  body?: unknown
  location?: string
}

const notFound: Answer = { status: 404, body: { error: 'User not found' } }
const longestPage = 100

const represent = ({ roles: _roles, ...person }: IdpPerson) => person

const matches = (person: IdpPerson, query: URLSearchParams): boolean => {
  const [key, value] = (query.get('q') ?? '').split(':')
  const hasAttribute = !key || !value || person.attributes[key]?.includes(value) === true
  const email = query.get('email')
  return hasAttribute && (email === null || person.email === email)
}

export const createAdmin = ({ directory, roles, isToken, faults, calls }: Options) => {
  const { people } = directory

  const list = ({ query }: Call): Answer => {
    const first = Number(query.get('first') ?? 0)
    const max = Math.min(Number(query.get('max') ?? longestPage), longestPage)
    const found = [...people.values()].filter((person) => matches(person, query))
    return { status: 200, body: found.slice(first, first + max).map(represent) }
  }

  const holders = ({ query }: Call, role: string): Answer => {
    if (faults.refusesRoles) return { status: 403, body: { error: 'HTTP 403 Forbidden' } }
    if (!roles.includes(role)) return { status: 404, body: { error: 'Could not find role' } }
    const first = Number(query.get('first') ?? 0)
    const max = Math.min(Number(query.get('max') ?? longestPage), longestPage)
    const found = [...people.values()].filter((person) => person.roles.includes(role))
    return { status: 200, body: found.slice(first, first + max).map(represent) }
  }

  const create = ({ body }: Call): Answer => {
    const given = body as Partial<IdpPerson> & { email: string }
    if (!given.username) return { status: 400, body: { errorMessage: 'User name is missing' } }
    if (directory.findByLogin(given.email))
      return { status: 409, body: { errorMessage: 'User exists with same email' } }
    const { id } = directory.add({ ...given, id: randomUUID() })
    return { status: 201, location: `/users/${id}` }
  }

  const ofPerson = (person: IdpPerson, { method, body }: Call, action: string): Answer => {
    const named = (body ?? []) as { name: string }[]
    switch (`${method} ${action}`) {
      case 'GET ':
        return { status: 200, body: represent(person) }
      case 'PUT ':
        Object.assign(person, body)
        return { status: 204 }
      case 'PUT execute-actions-email':
        if (!person.enabled) return { status: 400, body: { errorMessage: 'User is disabled' } }
        return faults.mail === 'fails' ? { status: 500, body: { errorMessage: 'Failed to send' } } : { status: 204 }
      case 'POST logout':
        return { status: 204 }
      case 'GET role-mappings/realm':
        return { status: 200, body: person.roles.map((name) => ({ id: `role-${name}`, name })) }
      case 'GET role-mappings/realm/available':
        return {
          status: 200,
          body: roles.filter((name) => !person.roles.includes(name)).map((name) => ({ id: `role-${name}`, name })),
        }
      case 'POST role-mappings/realm':
        person.roles.push(...named.map(({ name }) => name).filter((name) => !person.roles.includes(name)))
        return { status: 204 }
      case 'DELETE role-mappings/realm':
        person.roles = person.roles.filter((name) => !named.some((removed) => removed.name === name))
        return { status: 204 }
      default:
        return { status: 405 }
    }
  }

  const answer = (call: Call): Answer => {
    if (faults.status !== undefined) return { status: faults.status, body: { error: 'unknown_error' } }
    if (faults.refusesWrites && call.method !== 'GET') return { status: 503 }
    if (call.path === '/users/count') return { status: 200, body: people.size }
    const [, role] = /^\/roles\/([^/]+)\/users$/.exec(call.path) ?? []
    if (role !== undefined) return holders(call, decodeURIComponent(role))
    if (call.path === '/users') return call.method === 'POST' ? create(call) : list(call)
    const [, id = '', action = ''] = /^\/users\/([^/]+)\/?(.*)$/.exec(call.path) ?? []
    const person = people.get(id)
    return person ? ofPerson(person, call, action) : notFound
  }

  /** `path` is what follows `/admin/realms/<realm>`. */
  return async (request: IncomingMessage, response: ServerResponse, path: string): Promise<void> => {
    const url = new URL(path, 'http://admin.invalid')
    const raw = await new Response(request as unknown as ReadableStream).text()
    const method = request.method ?? 'GET'
    calls.push(`${method} ${url.pathname}`)
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const isStale = (faults.staleTokens ?? 0) > 0
    if (isStale) faults.staleTokens = (faults.staleTokens ?? 0) - 1
    const { status, body, location } =
      isStale || !(await isToken(token))
        ? { status: 401, body: { error: 'HTTP 401 Unauthorized' }, location: undefined }
        : answer({
            method,
            path: url.pathname,
            query: url.searchParams,
            body: raw === '' ? undefined : JSON.parse(raw),
          })
    const origin = `http://${request.headers.host}${(request.url ?? '').replace(/\/users.*$/, '')}`
    if (location) response.setHeader('location', `${origin}${location}`)
    if (body === undefined) response.writeHead(status).end()
    else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
}
