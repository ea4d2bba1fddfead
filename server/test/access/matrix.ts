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
  /** Was an administrator of the victim's organization once; their token is still in their hand. */
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
/** For administrators of the victim's organization; what a platform admin holds is no credential there. */
const onlyBoss = { ...none, stranger: 404, colleague: 403, self: 403, boss: 200, platformOwner: 401 }
/** For everybody in the victim's organization. */
const withinOrganization = { ...none, stranger: 404, colleague: 200, self: 200, boss: 200, platformOwner: 401 }
const everybody = {
  ...{ nobody: 200, deactivated: 200, stranger: 200, colleague: 200, boss: 200, self: 200, platformOwner: 200 },
}
/** Names no person's thing: unknown to all alike. */
const nobodyAtAll = { ...onlySelf, nobody: 404, deactivated: 404, self: 404 }
const onlyPlatform = { ...none, stranger: 403, colleague: 403, boss: 403, self: 403, platformOwner: 200 }

const newSession: Row['make'] = async (app, { victim }) => {
  const { body } = await app.newcomer().post('/api/auth/login', { email: victim.email, password })
  const list = await app.newcomer().get('/api/auth/sessions', bearer(body.token))
  const { id } = list.body.sessions.find((session: { current: boolean }) => session.current)
  return { id, marks: [body.token] }
}
const noProvider: Row['make'] = async () => ({ id: 'oidc', marks: [] })
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
const inviteMarked = async (app: TestApp, { boss }: Cast) => {
  const email = `invited.${app.unknownId()}@example.test`
  const { id } = (await boss.post('/api/org/team/invite', { email })).body
  return { id, email }
}
const invitation: Row['make'] = async (app, cast) => {
  const { id, email } = await inviteMarked(app, cast)
  return { id, marks: [email] }
}
const invitationLink: Row['make'] = async (app, cast) => {
  const { email } = await inviteMarked(app, cast)
  const link = (await app.letterTo(email)).link()
  return { id: new URL(`http://x${link}`).searchParams.get('token') ?? '', marks: [] }
}
const unit =
  (base: string): Row['make'] =>
  async (app, { boss, victim }) => {
    const name = `unit ${app.unknownId()}`
    const { id } = (await boss.post(base, { name, memberIds: [victim.id] })).body
    return { id, marks: [name, victim.id] }
  }
const unitRows = (base: string): Record<string, Row> => ({
  [`GET ${base}/:id`]: { make: unit(base), statuses: withinOrganization },
  [`PATCH ${base}/:id`]: { make: unit(base), body: { name: 'Renamed' }, statuses: onlyBoss },
  [`DELETE ${base}/:id`]: { make: unit(base), statuses: { ...onlyBoss, boss: 204 } },
})
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
  'PATCH /api/admin/organizations/:id': { make: organization, body: { plan: 'X' }, statuses: onlyPlatform },
  'GET /api/admin/users/:id/sign-ins': { make: user, statuses: onlyPlatform },
  'PUT /api/org/team/:userId/role': { make: user, body: { role: 'ROLE_USER' }, statuses: onlyBoss },
  'POST /api/org/team/:userId/deactivate': { make: user, statuses: onlyBoss },
  'POST /api/org/team/:userId/reactivate': { make: user, statuses: onlyBoss },
  'POST /api/org/team/invitations/:id/resend': { make: invitation, statuses: onlyBoss },
  'DELETE /api/org/team/invitations/:id': { make: invitation, statuses: { ...onlyBoss, boss: 204 } },
  'GET /api/auth/invite/:token': { make: invitationLink, statuses: everybody },
  ...unitRows('/api/org/groups'),
  ...unitRows('/api/org/departments'),
  'GET /oauth/:provider/login': { make: noProvider, statuses: nobodyAtAll },
  'GET /oauth/:provider/callback': { make: noProvider, statuses: nobodyAtAll },
  'GET /api/admin/outbox/:id': { make: mail, statuses: onlyPlatform },
}

/** Everybody fresh, so that no row spoils another. */
export const castFor = async (app: TestApp): Promise<Cast> => {
  const org = `org ${app.unknownId()}`
  const boss = await app.user({ org })
  const victim = await app.user({ org, name: `Victim ${app.unknownId()}` })
  const gone = await app.user({ org, role: 'ROLE_ORG_ADMIN' })
  const platformOwner = await app.platformOwner()
  await platformOwner.patch(`/api/admin/users/${gone.id}`, { status: 'DEACTIVATED' })
  const stranger = await app.user({ org: `org ${app.unknownId()}` })
  const colleague = await app.user({ org })
  const deactivated = createClient(app.url, bearer(gone.token))
  return { victim, nobody: app.newcomer(), stranger, colleague, boss, deactivated, platformOwner, self: victim }
}
