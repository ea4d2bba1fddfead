/** Filters that protect: what happens at every door when one fails, and that the task model is no way around them. */
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { framesIn, prepareChat } from '#test/harness/chat.ts'
import { runThrough } from '#test/harness/runs.ts'
import { node } from '#test/harness/workflows.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'

const provider = await startModelProvider({ models: ['swift', 'small'] })
const app = await testApp({ env: { COMPAT_API_BASE_URL: provider.url } })
const owner = await app.platformOwner()
const path = '/api/chat/completions'
const messages = [{ role: 'user', content: 'Say it.' }]
const failed = { status: 502, body: { code: 'filter_failed' } }

/** Makes a filter, and a model that it holds for. */
const protect = async (id: string, body: string): Promise<string> => {
  const filter = { id, name: id, content: `export class Filter { ${body} }`, is_active: true }
  expect(await owner.post('/api/v1/functions/create', filter)).toMatchObject({ status: 201 })
  const model = { id: `${id}_model`, name: id, base_model_id: 'swift', meta: { filterIds: [id] } }
  expect((await owner.post('/api/v1/models/create', model)).status).toBeLessThan(300)
  return model.id
}
const failing = (how: string) =>
  `stream(chunk) { if (JSON.stringify(chunk).includes('secret')) { ${how} } return chunk }`
const textOf = (sent: string) =>
  framesIn(sent)
    .map((frame) => frame.choices?.[0]?.delta?.content ?? '')
    .join('')

describe('a filter that must hold and fails', () => {
  it.each([
    ['throws', 'throw new Error("Oops.")'],
    ['uses up its time on a chosen chunk', 'for (;;) {}'],
  ])('where it %s ends the stream before that chunk, with a code', async (name, how) => {
    const ana = await app.user()
    const model = await protect(`ends_${name.length}`, `mustHold = true; ${failing(how)}`)
    provider.script({ chunks: ['a ', 'secret ', 'b'] })
    const { text } = await ana.post(path, { model, messages, stream: true })
    expect(textOf(text)).toBe('a ')
    expect(text).not.toContain('secret')
    expect(framesIn(text).at(-2)).toMatchObject({ error: { code: 'filter_failed' } })
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  it('is one too that declares it where it declares its settings', async () => {
    const ana = await app.user()
    const model = await protect('static', `static mustHold = true; ${failing('throw new Error("Oops.")')}`)
    provider.script({ text: 'a secret' })
    expect(await ana.post(path, { model, messages })).toMatchObject(failed)
  })

  it('refuses at the doors that wait for the whole reply, and in workflows', async () => {
    const ana = await app.user()
    const model = await protect('refuses', `mustHold = true; ${failing('throw new Error("Oops.")')}`)
    provider.usually(() => ({ text: 'a secret' }))
    expect(await ana.post(path, { model, messages })).toMatchObject(failed)
    const message = await ana.post('/api/v1/messages', { model, messages, max_tokens: 9 })
    expect([message.status, message.text]).toEqual([502, expect.not.stringContaining('secret')])
    const streamed = await ana.post('/api/v1/messages', { model, messages, max_tokens: 9, stream: true })
    expect(streamed.text).toContain('event: error')
    expect(streamed.text).not.toContain('a secret')
    const agent = node('ask', { model, prompt: 'x', retry: { max_attempts: 1 } }, 'agent')
    expect(await runThrough(ana, { nodes: [agent], edges: [] })).toMatchObject({ status: 'failed' })
    for (const door of ['/api/responses', '/upstream/v1/responses'])
      expect(await ana.post(door, { model, input: 'x' })).toMatchObject({ status: 403 })
  })

  it('leaves none of it in the message of a chat, which says what happened', async () => {
    const ana = await app.user()
    const model = await protect('stores', `mustHold = true; ${failing('throw new Error("Oops.")')}`)
    const chat = await prepareChat(ana, { model })
    provider.script({ chunks: ['a ', 'secret'] })
    await ana.post(path, { ...chat.body, model, stream: true })
    expect(await chat.done()).toMatchObject({ content: 'a ', error: { code: 'filter_failed' } })
  })

  it.each(['throw new Error("Oops.")', 'return undefined'])('refuses in the outlet: %s', async (how) => {
    const ana = await app.user()
    const model = await protect(`outlet_${how.length}`, `mustHold = true; outlet() { ${how} }`)
    const said = [...messages, { role: 'assistant', content: 'secret' }]
    expect(await ana.post('/api/chat/completed', { model, messages: said })).toMatchObject(failed)
  })

  it('refuses an inlet that forgets to return the request', async () => {
    const ana = await app.user()
    const model = await protect('forgets', 'mustHold = true; inlet(body) { body.messages = [] }')
    const count = provider.calls().length
    expect(await ana.post(path, { model, messages })).toMatchObject(failed)
    expect(provider.calls()).toHaveLength(count)
  })
})

describe('a stream filter', () => {
  it('that need not hold and fails lets the reply pass', async () => {
    const ana = await app.user()
    const model = await protect('lax', failing('throw new Error("Oops.")'))
    provider.script({ text: 'a secret' })
    expect((await ana.post(path, { model, messages })).body.choices[0].message.content).toBe('a secret')
  })

  it('changes and drops a reply that is not streamed, as it does one that is', async () => {
    const ana = await app.user()
    const model = await protect(
      'shouts',
      `stream(chunk) {
        const { delta } = chunk.choices[0]
        if (delta.content.includes('drop')) return null
        delta.content = delta.content.toUpperCase()
        return chunk
      }`,
    )
    provider.script({ text: 'noon' }, { text: 'noon' }, { text: 'drop it' })
    const { body } = await ana.post(path, { model, messages })
    expect(body).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { role: 'assistant', content: 'NOON' }, finish_reason: 'stop' }],
    })
    expect(body.choices[0].delta).toBeUndefined()
    const message = await ana.post('/api/v1/messages', { model, messages, max_tokens: 9 })
    expect(message.body.content).toMatchObject([{ type: 'text', text: 'NOON' }])
    expect((await ana.post(path, { model, messages })).body.choices[0].message.content).toBe('')
  })
})

describe('the task model', () => {
  it("gets what the filters of the chat's model leave of it, and its answers pass them", async () => {
    const ana = await app.user()
    const model = await protect(
      'masks',
      `mustHold = true
      inlet(body) {
        const masked = (text) => text.replaceAll('4111', '[CARD]')
        return { ...body, messages: body.messages.map((one) => ({ ...one, content: masked(one.content) })) }
      }
      stream(chunk) {
        const part = chunk.choices[0]?.delta
        if (part?.content) part.content = part.content.replaceAll('[CARD]', '4111')
        return chunk
      }`,
    )
    await owner.post('/api/v1/configs', { 'task.model': 'small' })
    provider.usually(({ body }) =>
      body.model === 'small'
        ? { text: '{"title": "About [CARD]", "tags": ["[CARD]"], "follow_ups": ["[CARD]?"]}' }
        : { text: 'noon' },
    )
    const count = provider.calls().length
    const chat = await prepareChat(ana, { model, question: 'My card is 4111.' })
    const all = { title_generation: true, tags_generation: true, follow_up_generation: true }
    await ana.post(path, { ...chat.body, model, background_tasks: all })
    const chatNow = async () => (await ana.get(`/api/v1/chats/${chat.chatId}`)).body
    await expect.poll(chatNow).toMatchObject({ title: 'About 4111', meta: { tags: ['4111'] } })
    await expect.poll(chat.message).toMatchObject({ followUps: ['4111?'] })
    const sent = provider.calls().slice(count)
    expect(sent.map(({ body }) => body.model).sort()).toEqual(['small', 'small', 'small', 'swift'])
    expect(JSON.stringify(sent.map(({ body }) => body))).not.toContain('4111')
  })
})
