/** What agents and tool nodes may call: tools that other modules bring, by name, and knowledge, through the same ports as chats. */
import { afterAll, describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { runThrough } from '#test/harness/runs.ts'
import { node } from '#test/harness/workflows.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'

const provider = await startModelProvider({ models: ['swift'] })
afterAll(() => provider.close())
const app = await testApp({ env: { COMPAT_API_BASE_URL: provider.url } })
const [ana, eve] = [await app.user(), await app.user()]

/** A tool server as another module will bring it: two functions, for one person. */
const called: { name: string; args: Record<string, unknown>; by: string }[] = []
app.ports.tools.registerSource({
  list: async () => [],
  resolve: async (actor, id) => {
    if (id !== 'server:mcp:crm' || actor.id !== ana.id) return undefined
    const describeFunction = (name: string, content: string) => ({
      ...{ name, description: 'Of the CRM.', parameters: { type: 'object', properties: {} } },
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

describe('an agent', () => {
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
        ...{ sources: [], context: `<source>${files[0]?.id} for ${actor.id}: ${query}</source>` },
      }),
    })
    provider.script({ text: 'At twelve.' })
    expect(await runThrough(ana, graph)).toMatchObject({ status: 'succeeded', output: 'At twelve.' })
    expect(JSON.stringify(provider.calls().at(-1)?.body.messages)).toContain(`almanac for ${ana.id}: When is noon?`)
  })
})
