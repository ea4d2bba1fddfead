/** The provider's admin REST interface, as far as we use it. Answers are checked; nothing of them is taken on trust. */
import { z } from 'zod'
import { AppError } from '#kernel/errors.ts'
import type { DirectoryCalls } from './calls.ts'

const Person = z.object({
  id: z.string().min(1).max(255),
  username: z.string().optional(),
  email: z.string().optional(),
  emailVerified: z.boolean().optional(),
  firstName: z.string().optional(),
  lastName: z.string().optional(),
  enabled: z.boolean().optional(),
  attributes: z.record(z.string(), z.array(z.string())).optional(),
})
export type DirectoryPerson = z.infer<typeof Person>

const Holders = z.array(z.object({ id: z.string().min(1).max(255) }))
const RoleList = z.array(z.object({ id: z.string(), name: z.string() }))

export interface NewDirectoryPerson {
  email: string
  firstName: string
  lastName: string
  organizationId: string
}

export interface DirectoryApi {
  /** Answers the new person's id, or undefined when the address is taken there. */
  create(person: NewDirectoryPerson): Promise<string | undefined>
  find(id: string): Promise<DirectoryPerson | undefined>
  findByEmail(email: string): Promise<DirectoryPerson | undefined>
  update(id: string, change: Partial<Pick<DirectoryPerson, 'enabled' | 'attributes'>>): Promise<void>
  /** Ends every login of the person there. */
  logOut(id: string): Promise<void>
  /** Mails the link with which a new person sets a password. False when the mail could not be sent. */
  sendWelcome(id: string): Promise<boolean>
  listRoles(id: string): Promise<string[]>
  /** Realm roles that the person could be given. */
  listAvailableRoles(id: string): Promise<string[]>
  /** Gives the person this role and takes the others of `among`. A role that the realm does not have is left out. */
  setRole(id: string, role: string, among: readonly string[]): Promise<void>
  /** Up to 100 people of an organization, or of all of them. */
  listPage(organizationId: string | undefined, first: number): Promise<DirectoryPerson[]>
  /** Everybody there, whosever they are. Undefined where the provider doesn't say. */
  count(): Promise<number | undefined>
  /** Ids of those who were given this role. Undefined where there is no such role. */
  listHolders(role: string, signal: AbortSignal): Promise<Set<string> | undefined | 'forbidden'>
}

export const pageSize = 100
/** The attribute that says whose somebody is. */
export const tenantAttribute = 'tenantId'
const welcomeLifeSec = 43_200
const firstSteps = ['UPDATE_PASSWORD', 'VERIFY_EMAIL']

const unexpected = (status: number): AppError =>
  new AppError('idp_unavailable', { detail: `The identity provider answered ${status}.` })

export const createDirectoryApi = (calls: DirectoryCalls, { clientId }: { clientId: string }): DirectoryApi => {
  const path = (id: string, rest = '') => `/users/${encodeURIComponent(id)}${rest}`

  const read = async <Value>(address: string, shape: z.ZodType<Value>): Promise<Value | undefined> => {
    const { status, body } = await calls.send('GET', address)
    if (status === 404) return undefined
    if (status !== 200) throw unexpected(status)
    const parsed = shape.safeParse(body)
    if (!parsed.success) throw new AppError('idp_unavailable', { cause: parsed.error })
    return parsed.data
  }
  const write = async (method: 'POST' | 'PUT' | 'DELETE', address: string, body?: unknown): Promise<void> => {
    const { status } = await calls.send(method, address, body)
    if (status < 200 || status > 299) throw unexpected(status)
  }

  return {
    create: async ({ email, firstName, lastName, organizationId }) => {
      const { status, location } = await calls.send('POST', '/users', {
        username: email,
        email,
        firstName,
        lastName,
        enabled: true,
        emailVerified: false,
        attributes: { [tenantAttribute]: [organizationId] },
        requiredActions: firstSteps,
      })
      if (status === 409) return undefined
      const id = location?.split('/').at(-1)
      if (status !== 201 || !id) throw unexpected(status)
      return decodeURIComponent(id)
    },
    find: (id) => read(path(id), Person),
    findByEmail: async (email) => {
      const query = new URLSearchParams({ email, exact: 'true', briefRepresentation: 'false' })
      const found = (await read(`/users?${query}`, z.array(Person))) ?? []
      return found.find((person) => person.email?.toLowerCase() === email)
    },
    update: (id, change) => write('PUT', path(id), change),
    logOut: (id) => write('POST', path(id, '/logout')),
    sendWelcome: async (id) => {
      const query = new URLSearchParams({ client_id: clientId, lifespan: String(welcomeLifeSec) })
      const { status } = await calls.send('PUT', path(id, `/execute-actions-email?${query}`), firstSteps)
      return status >= 200 && status < 300
    },
    listRoles: async (id) => ((await read(path(id, '/role-mappings/realm'), RoleList)) ?? []).map(({ name }) => name),
    listAvailableRoles: async (id) =>
      ((await read(path(id, '/role-mappings/realm/available'), RoleList)) ?? []).map(({ name }) => name),
    setRole: async (id, role, among) => {
      const address = path(id, '/role-mappings/realm')
      const held = (await read(address, RoleList)) ?? []
      const surplus = held.filter(({ name }) => name !== role && among.includes(name))
      if (!held.some(({ name }) => name === role)) {
        const available = (await read(`${address}/available`, RoleList)) ?? []
        const wanted = available.filter(({ name }) => name === role)
        if (wanted.length > 0) await write('POST', address, wanted)
      }
      if (surplus.length > 0) await write('DELETE', address, surplus)
    },
    listPage: async (organizationId, first) => {
      const query = new URLSearchParams({
        first: String(first),
        max: String(pageSize),
        briefRepresentation: 'false',
        ...(organizationId !== undefined && { q: `${tenantAttribute}:${organizationId}` }),
      })
      const page = await read(`/users?${query}`, z.array(Person))
      if (page === undefined) throw unexpected(404)
      return page
    },
    count: async () => {
      const { status, body } = await calls.send('GET', '/users/count')
      return status === 200 && Number.isSafeInteger(body) ? (body as number) : undefined
    },
    listHolders: async (role, signal) => {
      const ids = new Set<string>()
      for (let first = 0; ; first += pageSize) {
        signal.throwIfAborted()
        const query = new URLSearchParams({ first: String(first), max: String(pageSize) })
        const { status, body } = await calls.send('GET', `/roles/${encodeURIComponent(role)}/users?${query}`)
        if (status === 403) return 'forbidden'
        if (status === 404) return undefined
        const page = Holders.safeParse(body)
        if (status !== 200 || !page.success) throw unexpected(status)
        for (const { id } of page.data) ids.add(id)
        if (page.data.length < pageSize) return ids
      }
    },
  }
}
