/** Examples to start from: every one can be loaded, and every plugin in the documentation does what it says. */
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { createChildren } from '#kernel/child/index.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { systemIds } from '#kernel/ids.ts'
import { createLog } from '#kernel/log.ts'
import { createMetrics } from '#kernel/metrics/index.ts'
import type { PluginsContext } from '../context.ts'
import { createPluginRuntime, type PluginCall } from '../runtime/index.ts'
import { createValveCheck } from '../valves/valve-check.ts'
import { loadPlugin } from './load-plugin.ts'

const log = createLog('silent')
const children = createChildren({ log, metrics: createMetrics(log), givesWay: false })
afterAll(() => children.stop())
const context = {
  runtime: createPluginRuntime({ children }),
  kernel: { ids: systemIds } as PluginsContext['kernel'],
  valveCheck: createValveCheck(children),
}

const actor = { id: 'ana', organizationId: null } as Actor

const root = new URL('../../../../../', import.meta.url)
const examples = readdirSync(new URL('plugin/examples/', root))
  .filter((name) => !name.endsWith('.test.ts'))
  .map((name) => [name, readFileSync(new URL(`plugin/examples/${name}`, root), 'utf8')] as const)
const blocks = [...readFileSync(new URL('docs/plugins.md', root), 'utf8').matchAll(/^( *)```ts\n([\s\S]*?)^ *```/gm)]
const documented = blocks.map(([, , source = ''], index) => [`block ${index + 1}`, source] as const)
/** The plugin in the documentation that has this method. */
const sourceWith = (method: string): string =>
  documented.find(([, source]) => new RegExp(`^ +(async )?\\*?${method}\\(`, 'm').test(source))?.[1] ?? ''

describe.each([
  ['an example', examples],
  ['the documentation', documented],
] as const)('a plugin in %s', (_where, sources) => {
  it.each(sources)('%s loads', async (name, source) => {
    const { kind, spec } = await loadPlugin(context, { id: name.replace(/\W/g, '_'), source, valves: {}, actor })
    expect(['tool', 'filter', 'pipe', 'action']).toContain(kind)
    for (const tool of spec.tools)
      expect(tool).toMatchObject({ description: expect.any(String), parameters: { type: 'object' } })
  })

  it('is found at all', () => {
    expect(sources.length).toBeGreaterThan(4)
  })
})

const said = { model: 'echo.loud', messages: [{ role: 'user', content: 'good day' }] }
const about = { chat_id: 'c', message_id: 'm', session_id: 's', model_id: 'swift', user_id: 'u', task: null }
const helpers = {
  __id__: 'guide',
  __user__: { id: 'u', name: 'Ana', email: 'ana@example.test', role: 'ROLE_USER', valves: { unit: 'km' } },
  __metadata__: about,
  __request__: { base_url: 'https://chancery.example.test' },
  __model__: { id: 'swift' },
  __chat_id__: about.chat_id,
  __message_id__: about.message_id,
  __session_id__: about.session_id,
  __task__: null,
  __tools__: [{ name: 'calculate', description: '', parameters: {} }],
}

interface Ran {
  value: unknown
  events: { type: string; data: unknown }[]
  asked: string[]
}

/** Runs one method of the documentation, with a browser that agrees and a web that always has the same weather. */
const runDocumented = async (target: PluginCall['target'], method: string, ...args: unknown[]): Promise<Ran> => {
  const ran: Ran = { value: undefined, events: [], asked: [] }
  const pieces = [Buffer.from('{"text":"rain"}').toString('base64')]
  const answers: Record<string, unknown> = { confirmation: true, input: { value: '1234' }, execute: 'the title' }
  const outcome = await context.runtime.call(
    { id: method, version: '1', source: sourceWith(method), valves: '{}' },
    {
      target,
      method,
      args,
      helpers,
      answer: async (name, message) => {
        if (name === 'fetch:read') return pieces.shift() ?? null
        if (name === 'fetch') return { id: 1, status: 200, headers: [], url: String((message as { url: string }).url) }
        const { type } = message as { type: string }
        ran.asked.push(type)
        return answers[type]
      },
      onEmit: (event) => void ran.events.push(event as Ran['events'][number]),
      onLog: () => undefined,
      wallMs: 20_000,
    },
  )
  if (outcome.kind === 'value') return { ...ran, value: outcome.value }
  const items: unknown[] = []
  for await (const item of outcome.items) items.push(item)
  return { ...ran, value: items }
}

describe('a plugin in the documentation', () => {
  it('converts, counts distances, tells the weather as its Python twin does, and uses every helper', async () => {
    expect(await runDocumented('Tools', 'convert', { amount: 10, to: 'EUR' })).toMatchObject({ value: '9.00 EUR' })
    expect((await runDocumented('Tools', 'distance', { to: 'Porto' })).value).toBe(
      'Porto: 12 km (by https://api.example.com)',
    )
    const weather = await runDocumented('Tools', 'get_weather', { city: 'Porto' })
    expect(weather.value).toBe('Ana, in Porto: rain')
    expect(weather.events.map(({ type }) => type)).toEqual(['status', 'citation', 'status'])
    expect((await runDocumented('Tools', 'introduce', {})).value).toEqual([
      'Hello, Ana (ROLE_USER).',
      'You asked swift with 0 messages and 0 files.',
      'This is message m of chat c, from session s, at the title.',
      'The task is your own, also as null; the tools are calculate.',
      'Chancery is at https://chancery.example.test, and you are waiting.',
    ])
  })

  it('filters, answers as a model, and asks before it acts', async () => {
    const { messages } = (await runDocumented('Filter', 'inlet', said)).value as typeof said
    expect(messages).toEqual([{ role: 'system', content: 'You talk to Ana.' }, ...said.messages])
    const chunk = { choices: [{ delta: { content: 'a' } }] }
    expect((await runDocumented('Filter', 'stream', chunk)).value).toEqual(chunk)
    expect((await runDocumented('Filter', 'outlet', said)).value).toEqual(said)
    expect((await runDocumented('Pipe', 'pipe', said)).value).toEqual(['GOOD ', 'DAY '])
    expect(await runDocumented('Action', 'action', said)).toMatchObject({ value: 'Marked', asked: ['confirmation'] })
  })

  it('sends every type of event and asks every question there is', async () => {
    const { value, events, asked } = await runDocumented('Tools', 'show_all', {})
    expect(JSON.parse(String(value))).toEqual({ isSure: true, value: '1234', title: 'the title' })
    expect(asked).toEqual(['confirmation', 'input', 'execute'])
    const table = [
      'status',
      'chat:completion',
      'chat:message:delta',
      'message',
      'chat:message',
      'replace',
      'chat:message:files',
      'files',
      'embeds',
      'chat:message:embeds',
      'chat:title',
      'chat:tags',
      'source',
      'citation',
      'notification',
      'chat:message:favorite',
      'execute',
    ]
    expect([...new Set(events.map(({ type }) => type))].sort()).toEqual(table.sort())
  })
})
