/** Costs of runs: per step and in all, at the prices of the moment, and honest about what has none. */
import { afterAll, describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { finished, publish, readRun, runsPath, runThrough } from '#test/harness/runs.ts'
import { edge, node, workflowsPath } from '#test/harness/workflows.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'

const provider = await startModelProvider({ models: ['swift', 'wise'] })
const spare = await startModelProvider({ models: ['swift'] })
const own = await startModelProvider({ models: ['private'] })
afterAll(() => Promise.all([provider.close(), spare.close(), own.close()]))
const app = await testApp({ env: { SVC_CURRENCY: 'eur', OUTBOUND_ALLOWED_HOSTS: new URL(own.url).host } })
const owner = await app.platformOwner()
const ana = await app.user()

const connections = '/api/v1/connections'
const catalogs = '/api/v1/catalogs'
const prices = { swift: { input: 0.15, output: 0.6 } }
const connect = async (name: string, url: string, given: object): Promise<string> => {
  const made = await owner.post(connections, { type: 'compat', name, url, prices: given })
  expect(made).toMatchObject({ status: 201, body: { prices: given } })
  return made.body.id
}
const first = await connect('First', provider.url, prices)
await connect('Spare', spare.url, { swift: { input: 7, output: 0 } })

const agent = (id: string, config: Record<string, unknown> = {}) =>
  node(id, { model: 'swift', retry: { max_attempts: 1 }, ...config }, 'agent')
const alone = { nodes: [agent('ask')], edges: [] }
const used = (prompt: number, completion: number) => ({ text: 'Well.', usage: { prompt, completion } })
const costsOf = ({ steps }: { steps: { cost: number | null; cost_is_partial: boolean }[] }) =>
  steps.map(({ cost, cost_is_partial }) => [cost, cost_is_partial])

describe('the cost of a run', () => {
  it('is that of its calls, exact, per step and in all, in the instance’s currency', async () => {
    provider.script(used(3, 0), used(1000, 100))
    const run = await runThrough(ana, { nodes: [agent('a'), agent('b')], edges: [edge('a', 'b')] })
    expect(costsOf(run)).toEqual([
      [0.000_000_45, false],
      [0.000_21, false],
    ])
    const total = { cost: 0.000_210_45, cost_is_partial: false, currency: 'EUR' }
    expect(run).toMatchObject({ status: 'succeeded', ...total })
    expect((await ana.get(`${workflowsPath}/${run.workflow_id}/runs`)).body.data).toMatchObject([total])
    const [, counted] = /^chancery_model_cost_total (.*)$/m.exec((await owner.get('/metrics')).text) ?? []
    expect(Number(counted)).toBeCloseTo(0.000_210_45, 12)
  })

  it('stays what it was when the price changes', async () => {
    provider.script(used(1_000_000, 0))
    const before = await runThrough(ana, alone)
    await owner.patch(`${connections}/${first}`, { prices: { swift: { input: 20, output: 0 } } })
    provider.script(used(1_000_000, 0))
    expect(await runThrough(ana, alone)).toMatchObject({ cost: 20 })
    expect(await readRun(ana, before.id)).toMatchObject({ cost: 0.15, steps: [{ cost: 0.15 }] })
    const renamed = await owner.patch(`${connections}/${first}`, { name: 'Renamed' })
    expect(renamed.body.prices).toEqual({ swift: { input: 20, output: 0 } })
    await owner.patch(`${connections}/${first}`, { prices })
  })

  it('holds what failed attempts spent, and several rounds of one', async () => {
    const again = { toolCalls: [{ name: 'current_time', arguments: { timezone: 'UTC' } }] }
    const usage = { prompt: 1_000_000, completion: 0 }
    provider.script({ ...again, usage }, { ...again, usage }, { fail: { status: 400 } })
    const config = { tools: ['builtin:time'], on_error: 'continue' }
    const run = await runThrough(ana, {
      nodes: [agent('try', config), node('end')],
      edges: [edge('try', 'end', 'error')],
    })
    expect(run).toMatchObject({
      status: 'succeeded',
      cost: 0.3,
      steps: [{ status: 'failed', cost: 0.3 }, { cost: null }],
    })
  })

  it('is unknown where no price is, and said to be partial where one is missing', async () => {
    provider.script({ text: 'x' })
    const unpriced = await runThrough(ana, { nodes: [agent('ask', { model: 'wise' })], edges: [] })
    expect(unpriced).toMatchObject({ cost: null, cost_is_partial: false, currency: null })
    expect(unpriced.prompt_tokens).toBeGreaterThan(0)
    provider.script(used(1_000_000, 0), { text: 'y' })
    const nodes = [agent('priced'), agent('not', { model: 'wise' })]
    const mixed = await runThrough(ana, { nodes, edges: [edge('priced', 'not')] })
    expect(mixed).toMatchObject({ cost: 0.15, cost_is_partial: true })
    expect(costsOf(mixed)).toEqual([
      [0.15, false],
      [null, false],
    ])
  })

  it('is unknown where a provider does not say what it used', async () => {
    provider.script({ text: 'x', usage: null })
    expect(await runThrough(ana, alone)).toMatchObject({ status: 'succeeded', cost: null })
  })

  it('is not counted again by the run that takes over what was paid for', async () => {
    provider.script(used(1_000_000, 0), { fail: { status: 400 } }, used(2_000_000, 0))
    const failed = await runThrough(ana, { nodes: [agent('a'), agent('b')], edges: [edge('a', 'b')] })
    expect(failed).toMatchObject({ status: 'failed', cost: 0.15 })
    const { body } = await ana.post(`${runsPath}/${failed.id}/retry`)
    expect(await finished(ana, body.id)).toMatchObject({
      status: 'succeeded',
      cost: 0.3,
      steps: [{ cost: null }, { cost: 0.3 }],
    })
  })

  it('is that of the connection that answered', async () => {
    provider.script({ fail: { status: 500 } })
    spare.script(used(1_000_000, 0))
    expect(await runThrough(ana, alone)).toMatchObject({ status: 'succeeded', cost: 7 })
  })
})

describe('the prices of a catalog', () => {
  const entry = { name: 'own', type: 'compat', url: own.url, model_ids: ['private'] }
  const price = { private: { input: 2.5, output: 10 } }

  it('count for the runs that use it, and stay when its entries are sent without them', async () => {
    const made = await ana.post(catalogs, { name: 'Mine', entries: [{ ...entry, prices: price }] })
    expect(made.body.entries).toMatchObject([{ prices: price }])
    const { id } = made.body
    const kept = await ana.patch(`${catalogs}/${id}`, { entries: [{ ...entry, model_ids: ['private', 'more'] }] })
    expect(kept.body.entries).toMatchObject([{ prices: price }])
    const workflow = await publish(ana, { nodes: [agent('ask', { model: 'private' })], edges: [] })
    const start = async () => {
      own.script(used(12_345, 678))
      const { body } = await ana.post(`${workflowsPath}/${workflow}/runs`, { catalog_id: id })
      return finished(ana, body.id)
    }
    expect(await start()).toMatchObject({ status: 'succeeded', cost: 0.037_642_5, currency: 'EUR' })
    const bare = await ana.patch(`${catalogs}/${id}`, { entries: [{ ...entry, prices: {} }] })
    expect(bare.body.entries).toMatchObject([{ prices: {} }])
    expect(await start()).toMatchObject({ cost: null })
    expect((await ana.get(catalogs)).body.currency).toBe('EUR')
    expect((await owner.get(connections)).body.currency).toBe('EUR')
  })

  it.each([
    ['is negative', { m: { input: -1, output: 0 } }],
    ['is finer than can be counted', { m: { input: 0.000_000_1, output: 0 } }],
    ['is no number', { m: { input: '1', output: 0 } }],
    ['is out of all measure', { m: { input: 1e12, output: 0 } }],
    ['is half a price', { m: { input: 1 } }],
    ['has a reserved name', { constructor: { input: 1, output: 1 } }],
    [
      'is one of too many',
      Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`m${n}`, { input: 1, output: 1 }])),
    ],
  ])('are refused where one %s', async (_, wrong) => {
    const entries = [{ ...entry, prices: wrong }]
    expect((await ana.post(catalogs, { name: 'Wrong', entries })).status).toBe(422)
    expect((await owner.post(connections, { type: 'compat', name: 'x', url: own.url, prices: wrong })).status).toBe(422)
  })
})
