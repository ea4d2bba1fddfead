/** An author's steps: a source is checked, saved with what it says about itself, and tried. */
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { createPluginAuthor } from '#test/harness/plugins.ts'

const app = await testApp()
const owner = await app.platformOwner()
const { add, remove } = createPluginAuthor(owner)

describe('writing a plugin', () => {
  const check = async (content: string) => (await owner.post('/api/v1/functions/check', { content })).body

  it('is checked before it is saved, with the line of the problem', async () => {
    const fine = await check('export class Tools {\n  /** Looks. */\n  look() { return 1 }\n}')
    expect(fine).toMatchObject({ problem: null, type: 'tool', specs: [{ name: 'look', description: 'Looks.' }] })
    expect(await check('export class Tools {\n  look( { return 1 }\n}')).toMatchObject({
      line: 2,
      problem: expect.stringContaining("isn't valid TypeScript"),
    })
    expect(await check('const a = 1\n\nnull.x\nexport class Tools { look() {} }')).toMatchObject({ line: 3 })
    expect(await check('const a = 1')).toMatchObject({ line: null, problem: expect.stringContaining('Export a class') })
  })

  it('is tried with arguments, and answers what it returned, sent and logged; the try is audited', async () => {
    const id = await add(
      'tools',
      `export class Tools {
        async greet(args, { __event_emitter__, __user__ }) {
          console.log('greeting')
          await __event_emitter__({ type: 'status', data: { description: 'Hello', done: true } })
          if (args.name === '') throw new Error('Nobody is here.')
          return { text: args.name + ' and ' + __user__.name }
        }
        async ask(_args, { __event_call__ }) { return __event_call__({ type: 'confirmation', data: { title: 'Sure?' } }) }
      }`,
    )
    const run = async (method: string, args: object) => owner.post(`/api/v1/tools/id/${id}/try`, { method, args })
    expect((await run('greet', { name: 'Ana' })).body).toMatchObject({
      result: { text: expect.stringMatching(/^Ana and /) },
      error: null,
      events: [{ type: 'status', data: { description: 'Hello' } }],
      logs: [{ level: 'info', text: 'greeting' }],
    })
    expect((await run('greet', { name: '' })).body.error).toContain('Nobody is here.')
    expect((await run('ask', {})).body.error).toContain('no browser to ask')
    expect(await run('constructor', {})).toMatchObject({ status: 422, body: { code: 'plugin_method_unknown' } })
    const { body } = await owner.get('/api/admin/audit?search=plugin.try')
    expect(body.items[0]).toMatchObject({ action: 'plugin.try', target: { id } })
  })
})

describe('saving a plugin', () => {
  it('reads what it is from its source: kind, tools from types and comments, settings', async () => {
    const content = `
      /**
       * title: Weather
       * author: Ana
       */
      interface Place { /** Its name. */ city: string; country?: 'PT' | 'ES' }
      export class Tools {
        static Valves = { key: { type: 'string', secret: true } }
        /**
         * Tells the weather.
         * @param args.days How many days ahead.
         */
        async forecast(args: { place: Place; days: number; units?: string[] }): Promise<string> { return '' }
        static schema = { now: { description: 'Right now.', type: 'object', properties: { at: { type: 'string' } } } }
        now() { return '' }
        private hidden() { return '' }
        protected alsoHidden() { return '' }
      }`
    const id = await add('tools', content)
    const { body } = await owner.get(`/api/v1/tools/id/${id}`)
    expect(body).toMatchObject({
      type: 'tool',
      content,
      has_valves: true,
      meta: { manifest: { title: 'Weather', author: 'Ana' } },
    })
    expect(body.specs).toEqual([
      {
        name: 'forecast',
        description: 'Tells the weather.',
        parameters: {
          type: 'object',
          properties: {
            place: {
              type: 'object',
              properties: {
                city: { type: 'string', description: 'Its name.' },
                country: { type: 'string', enum: ['PT', 'ES'] },
              },
              required: ['city'],
            },
            days: { type: 'number', description: 'How many days ahead.' },
            units: { type: 'array', items: { type: 'string' } },
          },
          required: ['place', 'days'],
        },
      },
      {
        name: 'now',
        description: 'Right now.',
        parameters: { type: 'object', properties: { at: { type: 'string' } } },
      },
    ])
    await remove('tools', id)
    expect(await owner.get(`/api/v1/tools/id/${id}`)).toMatchObject({ status: 404, body: { code: 'plugin_not_found' } })
  })

  it.each([
    ['functions', 'no class', 'export const a = 1', 'Export a class'],
    ['functions', 'two classes', 'export class Pipe { pipe() {} }; export class Action { action() {} }', 'only one'],
    ['functions', 'a broken source', 'export class Filter { inlet( }', 'TypeScript'],
    ['functions', 'an endless loop', 'for (;;) {}; export class Filter { inlet() {} }', 'time'],
    ['functions', 'an import', 'import "node:fs"; export class Filter { inlet() {} }', 'import'],
    ['functions', 'a filter that filters nothing', 'export class Filter {}', 'inlet or stream or outlet'],
    ['functions', 'a tool at the wrong path', 'export class Tools { a() {} }', '/api/v1/tools'],
    ['tools', 'the name of a built-in tool', 'export class Tools { current_time() {} }', 'built-in'],
    [
      'tools',
      'settings that are no schema',
      'export class Tools { static Valves = { a: { type: "text" } }; a() {} }',
      'schema',
    ],
  ] as const)('refuses at %s %s', async (tree, _what, content, words) => {
    const reply = await owner.post(`/api/v1/${tree}/create`, { id: 'bad_one', name: 'Bad', content })
    expect(reply).toMatchObject({
      status: 422,
      body: { code: 'plugin_invalid', detail: expect.stringContaining(words) },
    })
  })
})
