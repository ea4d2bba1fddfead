/** Servers of tenants that lie about what was used. */
import { afterAll, describe, expect, it, vi } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { finished } from '#test/harness/runs.ts'
import { makePublished, node, workflowsPath } from '#test/harness/workflows.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'

const provider = await startModelProvider({ models: ['swift'] })
const own = await startModelProvider({ models: ['private'] })
afterAll(() => Promise.all([provider.close(), own.close()]))
const app = await testApp({
  env: { COMPAT_API_BASE_URL: provider.url, OUTBOUND_ALLOWED_HOSTS: new URL(own.url).host },
})
const owner = await app.platformOwner()

describe('a catalog whose server tells of nine hundred billion tokens', () => {
  it("doesn't spend what the organization shares, and of the caller's budget only what was sent and came", async () => {
    const org = `org ${app.unknownId()}`
    const boss = await app.user({ org })
    const eve = await app.user({ org })
    const limit = { subject_type: 'organization', subject_id: boss.organizationId, tokens_per_month: 5000 }
    expect((await owner.post('/api/v1/usage/limits', limit)).status).toBe(201)
    const entry = { name: 'own', type: 'compat', url: own.url, model_ids: ['private'] }
    const { body: catalog } = await eve.post('/api/v1/catalogs', { name: 'Mine', entries: [entry] })
    const graph = {
      nodes: [node('say', { model: 'private', retry: { max_attempts: 1 } }, 'agent')],
      edges: [],
      settings: {},
    }
    const { id } = await makePublished(eve, graph, boss)
    own.usually({ text: 'Hi.', usage: { prompt: 9e11, completion: 9e11 } })
    const { body } = await eve.post(`${workflowsPath}/${id}/runs`, { input: 'hi', catalog_id: catalog.id })
    const run = await finished(eve, body.id)
    expect(run).toMatchObject({ status: 'succeeded' })
    expect(run.prompt_tokens + run.completion_tokens).toBeLessThan(5000)

    const used = async (group: string) =>
      (await boss.get(`/api/v1/usage?scope=organization&by=${group}`)).body.rows.find(
        (row: { label: string }) => row.label === 'Credentials of catalogs' || row.label === 'private',
      )
    await vi.waitFor(async () => expect(await used('model')).toMatchObject({ requests: 1 }))
    const { prompt_tokens: prompt, completion_tokens: completion } = await used('key')
    expect(prompt + completion).toBeLessThan(5000)
    // Nothing of it is the organization's: its last token is still there.
    expect((await boss.get('/api/v1/usage/allowance')).body.tokens_this_month).toEqual({ used: 0, limit: 5000 })
    const said = await boss.post('/api/chat/completions', {
      model: 'swift',
      messages: [{ role: 'user', content: 'Hello' }],
      max_tokens: 4900,
    })
    expect(said.status).toBe(200)
  })
})
