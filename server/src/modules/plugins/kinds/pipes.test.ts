/** Pipes of plugins, asked as models through the whole app. */
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { framesIn } from '#test/harness/chat.ts'
import { createPluginAuthor } from '#test/harness/plugins.ts'

const app = await testApp()
const owner = await app.platformOwner()
const { add, remove } = createPluginAuthor(owner)
const path = '/api/chat/completions'
const messages = [{ role: 'user', content: 'Say it.' }]

describe('pipes', () => {
  it('are models: text, parts, a completion, or several models behind one plugin', async () => {
    const id = await add(
      'functions',
      `export class Pipe {
      pipes = [{ id: 'text', name: 'Text' }, { id: 'parts', name: 'Parts' }, { id: 'whole', name: 'Whole' }, { id: 'lines', name: 'Lines' }]
      pipe(body) {
        const said = body.messages.at(-1).content
        if (body.model.endsWith('.text')) return 'Heard: ' + said
        if (body.model.endsWith('.whole')) return { choices: [{ index: 0, message: { role: 'assistant', content: 'Whole' }, finish_reason: 'stop' }], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } }
        if (body.model.endsWith('.lines')) return (function* () { yield 'data: {"choices":[{"index":0,"delta":{"content":"from a line"}}]}'; yield 'data: [DONE]' })()
        return (async function* () { yield 'one '; await new Promise((done) => setTimeout(done, 5)); yield 'two' })()
      }
    }`,
    )
    const ana = await app.user()
    const listed = (await ana.get('/api/models')).body.data.map((model: { id: string }) => model.id)
    expect(listed).toEqual(expect.arrayContaining([`${id}.text`, `${id}.parts`]))
    const said: unknown[] = []
    for (const model of ['text', 'parts', 'whole', 'lines']) {
      const whole = await ana.post(path, { model: `${id}.${model}`, messages })
      const streamed = await ana.post(path, { model: `${id}.${model}`, messages, stream: true })
      const text = framesIn(streamed.text)
        .map((frame) => frame.choices?.[0]?.delta?.content ?? '')
        .join('')
      said.push([whole.body.choices[0].message.content, text])
    }
    expect(said).toEqual([
      ['Heard: Say it.', 'Heard: Say it.'],
      ['one two', 'one two'],
      ['Whole', 'Whole'],
      ['from a line', 'from a line'],
    ])
    await remove('functions', id)
    expect(await ana.post(path, { model: `${id}.text`, messages })).toMatchObject({ status: 404 })
  })

  it('call the tools of their request, and see its session', async () => {
    const id = await add(
      'functions',
      `export class Pipe {
      async pipe(body, { __tools__, __session_id__ }) {
        const { content } = await __tools__.calculate.call({ expression: '6 * 7' })
        const missing = await Object.assign({}, __tools__.calculate).call({ expression: '1 +' }).catch(({ message }) => message)
        return [Object.keys(__tools__), content, missing, __session_id__].join(' ')
      }
    }`,
    )
    const ana = await app.user()
    const body = { model: id, messages, tool_ids: ['builtin:calculator'], session_id: 'tab' }
    const { choices } = (await ana.post(path, body)).body
    expect(choices[0].message.content).toMatch(/^calculate 42 It can't be calculated.* tab$/)
    await remove('functions', id)
  })

  it('list their models with their settings, and fail as a model does', async () => {
    const id = await add(
      'functions',
      `export class Pipe {
      static Valves = { models: { type: 'array', items: { type: 'string' }, default: ['a'] } }
      pipes() { return this.valves.models.map((id) => ({ id, name: id.toUpperCase() })) }
      pipe() { throw new Error('No credit.') }
    }`,
    )
    await owner.post(`/api/v1/functions/id/${id}/valves/update`, { valves: { models: ['b', 'c'] } })
    expect((await owner.get(`/api/v1/functions/id/${id}`)).body.models).toEqual([
      { id: `${id}.b`, name: 'B' },
      { id: `${id}.c`, name: 'C' },
    ])
    const reply = await (await app.user()).post(path, { model: `${id}.b`, messages })
    expect(reply).toMatchObject({ status: 502, body: { code: 'provider_failed', detail: 'No credit.' } })
    await remove('functions', id)
  })
})
