/** Things that somebody left in an account before another person proved its address. */
import { afterAll, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { prepareChat } from '#test/harness/chat.ts'
import { bearer, createClient } from '#test/harness/client.ts'
import type { Person } from '#test/harness/people.ts'
import { edge, makePublished, node, workflowsPath } from '#test/harness/workflows.ts'
import { startSite } from '#test/peers/site.ts'

const site = await startSite((_request, response) => response.end())
afterAll(() => site.close())
const app = await testApp({ env: { OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${site.port}` } })

const tell = {
  nodes: [
    node('wait', { seconds: 3600 }, 'wait'),
    node('search', { tool: 'builtin:chats', arguments: { query: 'pelicans' } }, 'tool'),
    node('tell', { method: 'POST', url: `${site.origin}/told`, body: '{{search}}' }, 'http_request'),
  ],
  edges: [edge('wait', 'search'), edge('search', 'tell')],
  settings: {},
}

const valves = '/api/v1/tools/id/notes/valves/user'
/** Points a plugin somewhere and signs in at a tool server. */
const leaveTools = async (squatter: Person): Promise<void> => {
  const content = 'export class Tools { static UserValves = { url: { type: "string" } }; note() { return 1 } }'
  const plugin = { id: 'notes', name: 'Notes', content }
  expect((await (await app.platformOwner()).post('/api/v1/tools/create', plugin)).status).toBeLessThan(300)
  await squatter.post(`${valves}/update`, { valves: { url: 'https://evil.test' } })
  expect((await squatter.get(valves)).body.valves).toEqual({ url: 'https://evil.test' })
  const row = { serverId: 's', userId: squatter.id, url: 'https://s.test', sealed: 'x', expiresAt: null }
  await app.db
    .insertInto('toolServerTokens')
    .values({ ...row, updatedAt: app.clock.now() })
    .execute()
}

it('neither runs with the rights of the person who proved the address nor tells others what they do', async () => {
  const squatter = await app.user()
  const { id } = await makePublished(squatter, tell)
  const cron = await squatter.post(`${workflowsPath}/${id}/triggers/cron`, { name: 'Hourly', cron: '0 * * * *' })
  expect(cron.status).toBe(201)
  const hook = await squatter.post('/api/signing/webhooks', { url: `${site.origin}/hook` })
  expect(hook.status).toBe(201)
  await leaveTools(squatter)
  const run = (await squatter.post(`${workflowsPath}/${id}/runs`, {})).body
  await expect.poll(async () => (await squatter.get(`/api/v1/agent-runs/${run.id}`)).body.status).toBe('waiting')

  await squatter.post('/api/auth/resend-verification')
  const token = new URL(`http://x${(await app.letterTo(squatter.email)).link()}`).searchParams.get('token')
  const password = 'the choice of the owner'
  expect((await app.newcomer().post('/api/auth/verify-email', { token, password })).status).toBe(204)
  const signedIn = await app.newcomer().post('/api/auth/login', { email: squatter.email, password })
  const owner = { ...squatter, ...createClient(app.url, bearer(signedIn.body.token)) }
  await prepareChat(owner, { question: 'Where do pelicans sleep?' })

  expect((await owner.get(`/api/v1/agent-runs/${run.id}`)).body.status).toBe('cancelled')
  expect(await owner.post(`${workflowsPath}/${id}/runs`, {})).toMatchObject({
    body: { code: 'workflow_not_published' },
  })
  const hooks = (await owner.get('/api/signing/webhooks')).body.data
  expect(hooks).toMatchObject([
    { id: hook.body.id, enabled: false, disabledReason: expect.stringContaining('verified') },
  ])
  expect((await owner.get(valves)).body.valves).toEqual({})
  expect(await app.db.selectFrom('toolServerTokens').selectAll().execute()).toEqual([])
  app.clock.forward({ minutes: 121 })
  await expect
    .poll(async () => (await app.db.selectFrom('cronFires').select('runId').execute()).map(({ runId }) => runId))
    .toContain(null)
  expect(site.requests).toEqual([])
})
