/** What a directory sends: no person's credential opens it, not even an administrator's. */
import { none, onlyBoss, type Row } from './row.ts'

const token: Row['make'] = async (_app, { boss }) => {
  const { items } = (await boss.get('/api/org/scim-tokens')).body
  for (const { id } of items) await boss.delete(`/api/org/scim-tokens/${id}`)
  const { id, token: secret } = (await boss.post('/api/org/scim-tokens', { name: 'a directory to hide' })).body
  return { id, marks: [secret, 'a directory to hide'] }
}
const person: Row['make'] = async (_app, { victim: { id, email, name } }) => ({ id, marks: [email, name] })
const group: Row['make'] = async (app, { boss }) => {
  const name = `a group to hide ${app.unknownId()}`
  return { id: (await boss.post('/api/org/groups', { name })).body.id, marks: [name] }
}
const schema: Row['make'] = async () => ({ id: 'urn:ietf:params:scim:schemas:core:2.0:User', marks: [] })

const nobodysAccount = { ...none, stranger: 403, colleague: 403, boss: 403, self: 403, platformOwner: 401 }

export const scimRows: Record<string, Row> = {
  'DELETE /api/org/scim-tokens/:id': { make: token, statuses: { ...onlyBoss, boss: 204 } },
  'GET /scim/v2/Users/:id': { make: person, statuses: nobodysAccount },
  'PUT /scim/v2/Users/:id': { make: person, body: {}, statuses: nobodysAccount },
  'PATCH /scim/v2/Users/:id': { make: person, body: {}, statuses: nobodysAccount },
  'DELETE /scim/v2/Users/:id': { make: person, statuses: nobodysAccount },
  'GET /scim/v2/Groups/:id': { make: group, statuses: nobodysAccount },
  'PUT /scim/v2/Groups/:id': { make: group, body: {}, statuses: nobodysAccount },
  'PATCH /scim/v2/Groups/:id': { make: group, body: {}, statuses: nobodysAccount },
  'DELETE /scim/v2/Groups/:id': { make: group, statuses: nobodysAccount },
  'GET /scim/v2/Schemas/:schema': { make: schema, statuses: nobodysAccount },
  'GET /scim/v2/ResourceTypes/:name': { make: schema, statuses: nobodysAccount },
}
