/**
 * Tools of agents and tool nodes: those that other modules bring and knowledge, through the same ports as chats. An
 * agent's model calls stay readable with the step: call by call, with tools, without secrets, within limits. And what
 * agents asked models stays readable with the step: call by call, with tools, without secrets, within limits.
 */
import { hiddenSecret } from '@chancery/contract/plugins/secret-headers.ts'
import type { ModelCall } from '@chancery/contract/workflows/traces.ts'
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
const [ana, eve] = [await app.user(), await app.user()]

/** A tool server as another module will bring it: two functions, for one person. */
const called: { name: string; args: Record<string, unknown>; by: string }[] = []
app.ports.tools.registerSource({
  list: async () => [],
  resolve: async (actor, id) => {
    if (id !== 'server:mcp:crm' || actor.id !== ana.id) return undefined
    const describeFunction = (name: string, content: string) => ({
      name,
      description: 'Of the CRM.',
      parameters: { type: 'object', properties: {} },
      run: async (args: Record<string, unknown>) => {
        called.push({ name, args, by: actor.id })
        return { content }
      },
    })
    return [describeFunction('find_customer', '{"name":"Ada"}'), describeFunction('count', 'seven')]
  },
})
const only = (config: Record<string, unknown>, type: 'tool' | 'agent') => ({
  nodes: [node('do', { retry: { max_attempts: 1 }, ...config }, type)],
  edges: [],
})

describe('a tool node', () => {
  it('calls one function with the values of its templates, on behalf of the identity of the run', async () => {
    const config = {
      tool: 'server:mcp:crm/find_customer',
      arguments: { who: '{{ input.who }}', deep: [1, '{{ input }}'] },
    }
    const run = await runThrough(ana, only(config, 'tool'), { who: 'Ada' })
    expect(run).toMatchObject({ status: 'succeeded', output: { content: '{"name":"Ada"}', data: { name: 'Ada' } } })
    const args = { who: 'Ada', deep: [1, { who: 'Ada' }] }
    expect(called.at(-1)).toEqual({ name: 'find_customer', args, by: ana.id })
  })

  it('takes a tool of one function without naming it, and what is no JSON as it is', async () => {
    const time = await runThrough(ana, only({ tool: 'builtin:time', arguments: { timezone: 'UTC' } }, 'tool'))
    expect(time.status).toBe('succeeded')
    const count = await runThrough(ana, only({ tool: 'server:mcp:crm/count' }, 'tool'))
    expect(count.output).toEqual({ content: 'seven', data: null })
  })

  it.each([
    ['server:mcp:crm', /find_customer, count/],
    ['server:mcp:crm/steal', /find_customer, count/],
    ['server:mcp:other', /server:mcp:other/],
  ])('fails in words for %s', async (tool, words) => {
    const run = await runThrough(ana, only({ tool }, 'tool'))
    expect([run.status, run.error]).toEqual(['failed', expect.stringMatching(words)])
  })

  it('is refused to people without access to it', async () => {
    const before = called.length
    expect((await runThrough(eve, only({ tool: 'server:mcp:crm/count' }, 'tool'))).status).toBe('failed')
    expect(called).toHaveLength(before)
  })
})

describe('an agent with tools and knowledge', () => {
  it('calls a function of a tool server and gets its answer', async () => {
    provider.script({ toolCalls: [{ name: 'find_customer', arguments: { who: 'Ada' } }] }, { text: 'Found her.' })
    const run = await runThrough(ana, only({ model: 'swift', tools: ['server:mcp:crm'] }, 'agent'), 'find Ada')
    expect(run).toMatchObject({ status: 'succeeded', output: 'Found her.' })
    const { messages, tools } = provider.calls().at(-1)?.body ?? {}
    expect(messages.at(-1)).toMatchObject({ role: 'tool', content: '{"name":"Ada"}' })
    expect(tools.map((tool: { function: { name: string } }) => tool.function.name)).toEqual(['find_customer', 'count'])
  })

  it('is given what its knowledge holds', async () => {
    const knowledge = ['almanac']
    const graph = only({ model: 'swift', prompt: 'When is noon?', knowledge }, 'agent')
    expect((await runThrough(ana, graph)).status).toBe('failed')
    app.ports.completions.registerRetriever({
      retrieve: async ({ files, query, actor }) => ({
        sources: [],
        context: `<source>${files[0]?.id} for ${actor.id}: ${query}</source>`,
      }),
    })
    provider.script({ text: 'At twelve.' })
    expect(await runThrough(ana, graph)).toMatchObject({ status: 'succeeded', output: 'At twelve.' })
    expect(JSON.stringify(provider.calls().at(-1)?.body.messages)).toContain(`almanac for ${ana.id}: When is noon?`)
  })
})

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
    // Refused at once: the app may not call this address.
    const config = { url: provider.url, headers: { 'x-api-key': secret }, retry: { max_attempts: 1 } }
    const sender = node('send', config, 'http_request')
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
