/** Who may do what to whose things: one row for each route that names something by id. New routes are entered here. */
import type { TestApp } from '#test/harness/app.ts'
import { bearer, type Client, createClient } from '#test/harness/client.ts'
import { type Person, password } from '#test/harness/people.ts'

export interface Cast {
  /** Whose things are asked for. */
  victim: Person
  nobody: Client
  /** Of another organization, and its administrator. */
  stranger: Client
  /** A plain member of the victim's organization. */
  colleague: Client
  /** An administrator of the victim's organization. */
  boss: Client
  /** Was the victim's colleague once; their token is still in their hand. */
  deactivated: Client
  platformOwner: Client
  self: Client
}
export type Role = Exclude<keyof Cast, 'victim'>

interface Row {
  /** Makes the thing, and answers its id and what of it no outsider may see. */
  make(app: TestApp, cast: Cast): Promise<{ id: string; marks: string[] }>
  body?: unknown
  statuses: Record<Role, number>
}

const none = { nobody: 401, deactivated: 401 }
const onlySelf = { ...none, stranger: 404, colleague: 404, boss: 404, platformOwner: 404 }
const onlyPlatform = { ...none, stranger: 403, colleague: 403, boss: 403, self: 403, platformOwner: 200 }

const newSession: Row['make'] = async (app, { victim }) => {
  const { body } = await app.newcomer().post('/api/auth/login', { email: victim.email, password })
  const list = await app.newcomer().get('/api/auth/sessions', bearer(body.token))
  const { id } = list.body.sessions.find((session: { current: boolean }) => session.current)
  return { id, marks: [body.token] }
}
const newKey: Row['make'] = async (_app, { victim }) => {
  const { id, key, prefix } = (await victim.post('/api/v1/api-keys', { name: 'a name to hide' })).body
  return { id, marks: [key, prefix, 'a name to hide'] }
}
const user: Row['make'] = async (_app, { victim: { id, email, name } }) => ({ id, marks: [email, name] })
const organization: Row['make'] = async (app, { victim }) => {
  const id = victim.organizationId ?? ''
  const { name, code } = (await (await app.platformOwner()).get(`/api/admin/organizations/${id}`)).body
  return { id, marks: [name, code] }
}
const admin: Row['make'] = async (app) => {
  const email = `hidden.${app.unknownId()}@example.test`
  const reply = await (await app.platformOwner()).post('/api/admin/auth/accounts', { name: 'Hidden', email, password })
  return { id: reply.body.id, marks: [email] }
}
const mail: Row['make'] = async (app, { victim }) => {
  await app.newcomer().post('/api/auth/forgot-password', { email: victim.email })
  await app.letterTo(victim.email)
  const { body } = await (await app.platformOwner()).get(`/api/admin/outbox?search=${victim.email}`)
  return { id: body.items[0].id, marks: [victim.email, body.items[0].subject] }
}

export const matrix: Record<string, Row> = {
  'DELETE /api/auth/sessions/:id': { make: newSession, statuses: { ...onlySelf, platformOwner: 401, self: 204 } },
  'DELETE /api/v1/api-keys/:id': { make: newKey, statuses: { ...onlySelf, self: 204 } },
  'PATCH /api/admin/auth/accounts/:id': { make: admin, body: { active: false }, statuses: onlyPlatform },
  'GET /api/admin/users/:id': { make: user, statuses: onlyPlatform },
  'PATCH /api/admin/users/:id': { make: user, body: { status: 'DEACTIVATED' }, statuses: onlyPlatform },
  'GET /api/admin/organizations/:id': { make: organization, statuses: onlyPlatform },
  'GET /api/admin/outbox/:id': { make: mail, statuses: onlyPlatform },
}

/** Everybody fresh, so that no row spoils another. */
export const castFor = async (app: TestApp): Promise<Cast> => {
  const org = `org ${app.unknownId()}`
  const boss = await app.user({ org })
  const victim = await app.user({ org, name: `Victim ${app.unknownId()}` })
  const gone = await app.user({ org })
  const platformOwner = await app.platformOwner()
  await platformOwner.patch(`/api/admin/users/${gone.id}`, { status: 'DEACTIVATED' })
  const stranger = await app.user({ org: `org ${app.unknownId()}` })
  const colleague = await app.user({ org })
  const deactivated = createClient(app.url, bearer(gone.token))
  return { victim, nobody: app.newcomer(), stranger, colleague, boss, deactivated, platformOwner, self: victim }
}
