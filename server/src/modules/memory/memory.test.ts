import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'
import { chooseFacts } from './choose-facts.ts'

const provider = await startModelProvider({ models: ['swift'] })
const app = await testApp({ env: { COMPAT_API_BASE_URL: provider.url } })
const base = '/api/v1/memories'
const ask = (more: object = {}) => ({
  model: 'swift',
  messages: [{ role: 'user', content: 'Which tea do I like?' }],
  features: { memory: true },
  ...more,
})
const sent = () => provider.calls().at(-1)?.body
const complete = async (person: { post(path: string, body: object): Promise<{ status: number }> }, body: object) => {
  provider.script({ text: 'Noted.' })
  expect((await person.post('/api/chat/completions', body)).status).toBe(200)
}

describe('memory', () => {
  it('puts the facts of the caller, and of nobody else, in front of the model', async () => {
    const [ana, bob] = [await app.user({ org: 'tea' }), await app.user({ org: 'tea' })]
    await ana.post(base, { content: 'Likes green tea.' })
    await bob.post(base, { content: 'Likes coffee.' })
    await complete(ana, ask())
    expect(sent().messages[0]).toMatchObject({ role: 'system', content: expect.stringContaining('- Likes green tea.') })
    expect(JSON.stringify(sent())).not.toContain('coffee')
    await complete(ana, ask({ features: {} }))
    expect(JSON.stringify(sent())).not.toContain('green tea')
    expect(sent().tools).toBeUndefined()
  })

  it('is written by the model through its tool, once for the same words, and shown to the person', async () => {
    const ana = await app.user()
    const fact = { name: 'remember', arguments: { fact: ' Works in Porto. ' } }
    for (const _time of [1, 2]) {
      provider.script({ toolCalls: [fact] }, { text: 'Noted.' })
      expect((await ana.post('/api/chat/completions', ask())).body.choices[0].message.content).toContain('Noted.')
    }
    const { items, total } = (await ana.get(base)).body
    expect(total).toBe(1)
    expect(items[0]).toMatchObject({ content: 'Works in Porto.', source: 'model' })
  })

  it('is changed, deleted and emptied by its person', async () => {
    const ana = await app.user()
    const { id } = (await ana.post(base, { content: 'Lives in Lisbon.' })).body
    expect((await ana.patch(`${base}/${id}`, { content: 'Lives in Porto.' })).body.content).toBe('Lives in Porto.')
    expect((await ana.delete(`${base}/${id}`)).status).toBe(204)
    expect(await ana.delete(`${base}/${id}`)).toMatchObject({ status: 404, body: { code: 'memory_not_found' } })
    const [one, two] = [await ana.post(base, { content: 'One.' }), await ana.post(base, { content: 'Two.' })]
    expect((await ana.patch(`${base}/${two.body.id}`, { content: 'ONE.' })).status).toBe(200)
    expect((await ana.get(base)).body.items.map(({ id }: { id: string }) => id)).toEqual([two.body.id])
    expect((await ana.delete(`${base}/${one.body.id}`)).status).toBe(404)
    expect((await ana.delete(base)).status).toBe(204)
    expect((await ana.get(base)).body).toMatchObject({ items: [], total: 0, enabled: true })
  })

  it('is full at 500 facts, also when several requests want to write the last one', async () => {
    const ana = await app.user()
    const at = new Date()
    const facts = Array.from({ length: 499 }, (_, index) => ({
      id: randomUUID(),
      userId: ana.id,
      content: `Fact ${index}.`,
      source: 'person' as const,
      createdAt: at,
      updatedAt: at,
    }))
    await app.db.insertInto('memories').values(facts).execute()
    const replies = await Promise.all(['A.', 'B.', 'C.', 'D.'].map((content) => ana.post(base, { content })))
    expect(replies.filter(({ status }) => status < 300)).toHaveLength(1)
    expect(replies.filter(({ body }) => body.code === 'memory_full')).toHaveLength(3)
    expect((await ana.get(base)).body.total).toBe(500)
  })

  it('switched off is neither used nor written, and is still there when it is switched on again', async () => {
    const ana = await app.user()
    await ana.post(base, { content: 'Likes green tea.' })
    expect((await ana.put(`${base}/settings`, { enabled: false })).body).toMatchObject({ enabled: false, total: 1 })
    await complete(ana, ask())
    expect(JSON.stringify(sent())).not.toContain('green tea')
    const fact = { name: 'remember', arguments: { fact: 'New.' } }
    provider.script({ toolCalls: [fact] }, { text: 'Tried.' })
    await ana.post('/api/chat/completions', ask({ tool_ids: ['builtin:memory'] }))
    expect((await ana.get(base)).body.total).toBe(1)
    await ana.put(`${base}/settings`, { enabled: true })
    await complete(ana, ask())
    expect(JSON.stringify(sent())).toContain('green tea')
  })

  it('keeps a system prompt and the tools of the caller', async () => {
    const ana = await app.user()
    await ana.post(base, { content: 'Likes green tea.' })
    const tools = [{ type: 'function', function: { name: 'own', parameters: { type: 'object', properties: {} } } }]
    const messages = [{ role: 'system', content: 'Be brief.' }, ...ask().messages]
    await complete(ana, ask({ messages, tools }))
    expect(sent().messages[0].content).toMatch(/^Be brief\.\n\n.*green tea/s)
    expect(sent().tools).toHaveLength(1)
  })
})

describe('choosing facts', () => {
  it('prefers facts that share words with the question, and stays within the budget', () => {
    const facts = ['x'.repeat(80), 'drinks Oolong tea', 'y'.repeat(30)]
    expect(chooseFacts(facts, 'which TEA?', 60)).toEqual(['drinks Oolong tea', 'y'.repeat(30)])
  })
})
