/** Actions for an organization's administrators only, tried by everybody else. */
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { bearer, type Client, createClient } from '#test/harness/client.ts'
import { expectErrorBody } from './leaks.ts'
import { rowCounts } from './row-counts.ts'

const app = await testApp()
const org = `org ${app.unknownId()}`
const boss = await app.user({ org })
const member = await app.user({ org })
const loner = await app.user()
const demoted = await app.user({ org, role: 'ROLE_ORG_ADMIN' })
await demoted.get('/api/org/me')
await boss.put(`/api/org/team/${demoted.id}/role`, { role: 'ROLE_USER' })
const gone = await app.user({ org, role: 'ROLE_ORG_ADMIN' })
const { key } = (await gone.post('/api/v1/api-keys', { name: 'k' })).body
await boss.post(`/api/org/team/${gone.id}/deactivate`)

const routes = app.routes.filter(({ access }) => access === 'orgAdmin')
const rowsBefore = await rowCounts(app)

describe.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_name, route) => {
  const ask = (client: Client) =>
    client.send(
      route.method,
      route.path.replace(/:\w+/g, () => member.id),
      route.body ? { body: '{}', headers: { 'content-type': 'application/json' } } : {},
    )

  it('is forbidden to a plain member, a demoted administrator and a person without an organization', async () => {
    for (const person of [member, demoted, loner]) {
      const reply = await ask(person)
      expect(reply.status).toBe(403)
      expectErrorBody(reply.text, 'forbidden')
    }
  })

  it('is closed to a deactivated administrator, by token and by key', async () => {
    for (const token of [gone.token, key]) {
      const reply = await ask(createClient(app.url, bearer(token)))
      expect(reply.status).toBe(401)
      expectErrorBody(reply.text, 'not_authenticated')
    }
  })
})

it('none of these requests has written a row', async () => {
  expect(await rowCounts(app)).toEqual(rowsBefore)
})
