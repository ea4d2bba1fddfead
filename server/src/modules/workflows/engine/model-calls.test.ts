/** What agents asked models stays readable with the step: call by call, with tools, without secrets, within limits. */
import { hiddenSecret } from '@chancery/contract/secret-headers.ts'
import type { ModelCall } from '@chancery/contract/workflow-traces.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { publish, readRun, runsPath, runThrough, startByHand } from '#test/harness/runs.ts'
import { edge, node } from '#test/harness/workflows.ts'
import { gate, startModelProvider } from '#test/peers/model-provider.ts'

const provider = await startModelProvider({ models: ['swift'] })
afterAll(() => provider.close())
const app = await testApp()
await (await app.platformOwner()).post('/api/v1/connections', {
  type: 'compat',
  name: 'Priced',
  url: provider.url,
  prices: { swift: { input: 1, output: 2 } },
})
const ana = await app.user()

const agent = (id: string, config: Record<string, unknown> = {}) =>
  node(id, { model: 'swift', retry: { max_attempts: 1 }, ...config }, 'agent')
const callsOf = async (runId: string, stepId: string | undefined): Promise<ModelCall[]> =>
  (await ana.get(`${runsPath}/${runId}/steps/${stepId}/model-calls`)).body.data
const clockCall = { id: 'c1', name: 'current_time', arguments: { timezone: 'UTC' } }

describe('the model calls of a step', () => {
  it('show prompt, tools with arguments and results, answer, tokens, cost and finish reason', async () => {
    const usage = { prompt: 1000, completion: 100 }
    provider.script({ toolCalls: [clockCall], usage }, { text: 'It is late.', usage })
    const config = { system_prompt: 'Be brief.', prompt: 'What time is it?', tools: ['builtin:time'], temperature: 0.5 }
    const run = await runThrough(ana, { nodes: [agent('ask', config)], edges: [] })
    const calls = await callsOf(run.id, run.steps[0]?.id)
    expect(calls).toMatchObject([
      {
        number: 1,
        model: 'swift',
        earlier_messages: 0,
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'What time is it?' },
        ],
        tools: expect.arrayContaining(['current_time']),
        settings: { temperature: 0.5 },
        answer: '',
        tool_calls: [
          { id: 'c1', name: 'current_time', arguments: '{"timezone":"UTC"}', result: expect.stringContaining('20') },
        ],
        finish_reason: 'tool_calls',
        error: null,
        prompt_tokens: 1000,
        completion_tokens: 100,
        cost: 0.0012,
        is_cut: false,
      },
      // The prompt, the answer of the first call and the result of its tool are not repeated.
      { number: 2, earlier_messages: 4, messages: [], answer: 'It is late.', tool_calls: [], finish_reason: 'stop' },
    ])
    expect(calls.map(({ cost }) => cost).reduce((sum, one) => (sum ?? 0) + (one ?? 0))).toBeCloseTo(run.cost ?? 0, 9)
  })

  it('of another attempt are apart, and a call that fails says why', async () => {
    provider.script({ fail: { status: 500 } }, { text: 'At last.' })
    const retry = { max_attempts: 2, initial_delay_ms: 0 }
    const run = await runThrough(ana, { nodes: [agent('try', { retry, prompt: 'Go.' })], edges: [] })
    const [first, second] = run.steps
    expect(await callsOf(run.id, first?.id)).toMatchObject([{ number: 1, answer: null, error: first?.error }])
    expect(await callsOf(run.id, second?.id)).toMatchObject([{ number: 1, answer: 'At last.', error: null }])
  })

  it('are stored while the agent goes on, with what its tools returned', async () => {
    const hold = gate()
    provider.script({ toolCalls: [clockCall] }, { chunks: ['Done.'], gate: hold })
    const workflow = await publish(ana, { nodes: [agent('act', { tools: ['builtin:time'] })], edges: [] })
    const { body } = await startByHand(ana, workflow, 'x')
    await expect.poll(async () => (await readRun(ana, body.id)).steps[0]?.status).toBe('running')
    const { id } = (await readRun(ana, body.id)).steps[0] ?? {}
    await expect
      .poll(() => callsOf(body.id, id))
      .toMatchObject([{ number: 1, tool_calls: [{ result: expect.any(String) }] }])
    expect((await readRun(ana, body.id)).steps[0]?.status).toBe('running')
    hold.open()
    await expect.poll(async () => (await callsOf(body.id, id)).length).toBe(2)
  })

  it('hide secrets of the workflow and whatever looks like a credential', async () => {
    const secret = 'very-secret-value-of-a-header'
    const key = `sk-${'k'.repeat(30)}`
    provider.script({ text: `I saw ${secret} and ${key}, and {"api_key": "abc\\"def"}.` })
    const sender = node('send', { url: 'https://example.org', headers: { 'x-api-key': secret } }, 'http_request')
    const graph = {
      nodes: [agent('ask', { prompt: `Use Bearer ${'t'.repeat(20)} now` }), sender],
      edges: [edge('ask', 'send')],
    }
    const run = await runThrough(ana, graph)
    const [call] = await callsOf(run.id, run.steps.find(({ node_id }) => node_id === 'ask')?.id)
    expect(call?.answer).toBe(`I saw ${hiddenSecret} and ${hiddenSecret}, and {"api_key": "${hiddenSecret}"}.`)
    expect(call?.messages).toEqual([{ role: 'user', content: `Use Bearer ${hiddenSecret} now` }])
  })

  it('keep neither the own system prompt of a model nor passages of knowledge, only that they were sent', async () => {
    const model = {
      id: 'advisor',
      name: 'Advisor',
      base_model_id: 'swift',
      params: { system: 'Never mention Atlantis.' },
    }
    expect((await (await app.platformOwner()).post('/api/v1/models/create', model)).status).toBe(201)
    await expect.poll(async () => (await ana.get('/api/v1/models/model?id=advisor')).status).toBe(200)
    app.ports.completions.registerRetriever({
      retrieve: async () => ({ sources: [{ source: { name: 'rules.md' } }], context: 'Rule one: silence.' }),
    })
    provider.script({ toolCalls: [{ ...clockCall, id: 'c'.repeat(300) }] }, { text: 'ok' })
    const config = { model: 'advisor', prompt: 'Go.', knowledge: ['rules'], tools: ['builtin:time'] }
    const run = await runThrough(ana, { nodes: [agent('ask', { ...config, system_prompt: 'Be kind.' })], edges: [] })
    const sent = JSON.stringify(provider.calls().at(-1)?.body.messages)
    for (const added of ['Atlantis', 'silence']) expect(sent).toContain(added)
    const calls = await callsOf(run.id, run.steps[0]?.id)
    expect(calls).toMatchObject([
      {
        messages: [
          { role: 'system', content: "[the model's own system prompt]\n\nBe kind." },
          { role: 'user', content: '[passages from rules.md]\n\nGo.' },
        ],
        tool_calls: [{ id: 'c'.repeat(200), result: expect.any(String) }],
      },
      { earlier_messages: 4, messages: [] },
    ])
    expect(JSON.stringify(calls)).not.toMatch(/Atlantis|silence/)
  })

  it('are cut visibly where they are long', async () => {
    const long = 'wort '.repeat(60_000)
    provider.script({ text: 'ok' })
    const run = await runThrough(ana, { nodes: [agent('read', { prompt: '{{ input }}' })], edges: [] }, long)
    const [call] = await callsOf(run.id, run.steps[0]?.id)
    expect(call).toMatchObject({ is_cut: true, answer: 'ok' })
    expect(call?.messages[0]?.content).toMatch(/^wort wort .*… \[280000 more characters\]$/)
  })

  it('are gone with their step, and unknown steps are 404', async () => {
    provider.script({ text: 'ok' })
    const run = await runThrough(ana, { nodes: [agent('ask'), node('end')], edges: [edge('ask', 'end')] }, 'x')
    const [step, end] = run.steps
    expect(await callsOf(run.id, end?.id)).toEqual([])
    await app.db
      .deleteFrom('runSteps')
      .where('id', '=', step?.id ?? '')
      .execute()
    expect(
      await app.db
        .selectFrom('runModelCalls')
        .select('number')
        .where('stepId', '=', step?.id ?? '')
        .execute(),
    ).toEqual([])
    for (const id of [step?.id, 'x'])
      expect(await ana.get(`${runsPath}/${run.id}/steps/${id}/model-calls`)).toMatchObject({
        status: 404,
        body: { code: 'step_not_found' },
      })
  })
})
