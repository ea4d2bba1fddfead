/** Server-side tools: resolved by id, run on the server, their results given back to the model. */
import { describe, expect, it } from 'vitest'
import type { ToolContext } from '#modules/tools/index.ts'
import { testApp } from '#test/harness/app.ts'
import { framesIn, openaiOf, prepareChat } from '#test/harness/chat.ts'
import type { ScriptedToolCall } from '#test/peers/model-behaviour.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'

const provider = await startModelProvider({ models: ['swift'] })
const app = await testApp({ env: { COMPAT_API_BASE_URL: provider.url } })
const ana = await app.user()
const messages = [{ role: 'user', content: 'What is the time in Lisbon?' }]
const path = '/api/chat/completions'

const clock = (timezone: string, id = 'call_0'): ScriptedToolCall => ({
  id,
  name: 'current_time',
  arguments: { timezone },
})
const textOf = (text: string): string =>
  framesIn(text)
    .map((frame) => frame.choices?.[0]?.delta?.content ?? '')
    .join('')
/** The results of tools in the last call of the model. */
const results = (): string[] =>
  (provider.calls().at(-1)?.body.messages ?? [])
    .filter(({ role }: { role: string }) => role === 'tool')
    .map(({ content }: { content: string }) => content)

describe('tool_ids', () => {
  it('are run on the server, side by side, until the model has answered; usage is that of all rounds', async () => {
    provider.script({ toolCalls: [clock('Europe/Lisbon'), clock('Asia/Tokyo', 'call_1')] }, { text: 'Noon.' })
    const reply = await ana.post(path, { model: 'swift', messages, tool_ids: ['builtin:time'] })
    expect(reply).toMatchObject({ status: 200, body: { choices: [{ message: { content: 'Noon.' } }] } })
    expect(reply.body.usage.prompt_tokens).toBe(20)
    const [first, second] = provider.calls().slice(-2)
    expect(first?.body.tools).toMatchObject([{ type: 'function', function: { name: 'current_time' } }])
    expect(first?.body.tool_ids).toBeUndefined()
    expect(second?.body.messages.slice(1)).toMatchObject([
      { role: 'assistant', tool_calls: [{ id: 'call_0' }, { id: 'call_1' }] },
      { role: 'tool', tool_call_id: 'call_0' },
      { role: 'tool', tool_call_id: 'call_1', content: expect.stringContaining('GMT+9') },
    ])
  })

  it('stay hidden in a stream: the caller reads words, never a call that is not theirs to run', async () => {
    provider.script({ chunks: ['One moment.'], toolCalls: [clock('UTC')] }, { chunks: ['It is', ' noon.'] })
    const body = { model: 'swift', messages, tool_ids: ['builtin:time'], stream: true }
    const reply = await ana.post(path, { ...body, stream_options: { include_usage: true } })
    expect(textOf(reply.text)).toBe('One moment.\n\nIt is noon.')
    expect(reply.text).not.toContain('tool_calls')
    const frames = framesIn(reply.text)
    expect(frames.at(-2).usage).toMatchObject({ prompt_tokens: 20 })
    expect(frames.at(-1)).toBe('[DONE]')
  })

  it('work with the SDK', async () => {
    provider.script({ toolCalls: [clock('UTC')] }, { text: 'Noon.' })
    const request = { model: 'swift', messages: [{ role: 'user' as const, content: 'x' }], tool_ids: ['builtin:time'] }
    const completion = await openaiOf(app, ana).chat.completions.create(request)
    expect(completion.choices[0]).toMatchObject({ message: { content: 'Noon.' }, finish_reason: 'stop' })
  })

  it.each([
    ['a tool that fails', clock('Nowhere/Land'), 'Error: Unknown time zone.'],
    ['a tool that is not there', { name: 'launch', arguments: {} }, 'Error: there is no tool called launch.'],
    [
      'arguments that are no JSON',
      { name: 'current_time', arguments: '{"timezone":' },
      'Error: the arguments are not a JSON object',
    ],
    [
      'arguments that are no object',
      { name: 'current_time', arguments: '[1]' },
      'Error: the arguments are not a JSON object',
    ],
  ])('tell the model of %s, and go on', async (_what, call, told) => {
    provider.script({ toolCalls: [call] }, { text: 'Sorry.' })
    const reply = await ana.post(path, { model: 'swift', messages, tool_ids: ['builtin:time'] })
    expect(reply.body.choices[0].message.content).toBe('Sorry.')
    expect(results()[0]).toContain(told)
  })

  it('end though the model never does: the last call has no tools', async () => {
    provider.usually((request) => (request.body.tools ? { toolCalls: [clock('UTC')] } : { text: 'I give up.' }))
    const count = provider.calls().length
    const reply = await ana.post(path, { model: 'swift', messages, tool_ids: ['builtin:time'] })
    provider.usually({})
    expect(reply.body.choices[0].message.content).toBe('I give up.')
    expect(provider.calls().length - count).toBe(17)
  })

  it.each(['builtin:nothing', 'server:mcp:foreign', '__proto__'])('refuse %s by its name', async (toolId) => {
    const count = provider.calls().length
    const reply = await ana.post(path, { model: 'swift', messages, tool_ids: ['builtin:time', toolId] })
    expect(reply).toMatchObject({ status: 403, body: { code: 'tool_not_allowed' } })
    expect(reply.body.detail).toContain(toolId)
    expect(provider.calls().length).toBe(count)
  })
})

describe('in a chat', () => {
  it('tools show what they do as statuses, and what they found as sources', async () => {
    const found = { source: { id: 's', name: 'Almanac' }, document: ['noon'], metadata: [{}] }
    app.ports.tools.registerSource({
      list: async () => [],
      resolve: async (_actor, id) =>
        id === 'test:almanac'
          ? [
              {
                name: 'almanac',
                description: '',
                parameters: {},
                run: async (_args, { emit }) => {
                  emit({ type: 'message', data: { content: '[looked] ' } })
                  return { content: 'noon', sources: [found] }
                },
              },
            ]
          : undefined,
    })
    const chat = await prepareChat(ana)
    provider.script({ toolCalls: [{ name: 'almanac', arguments: {} }] }, { text: 'Noon.' })
    const reply = await ana.post(path, { model: 'swift', stream: true, tool_ids: ['test:almanac'], ...chat.body })
    expect(framesIn(reply.text)).toContainEqual({ sources: [found] })
    const message = await chat.message()
    expect(message).toMatchObject({ content: '[looked] Noon.', done: true, sources: [found] })
    expect(message.statusHistory).toMatchObject([
      { description: 'Using almanac', done: false, call: { name: 'almanac', arguments: '{}' } },
      { description: 'Used almanac', done: true, call: { output: 'noon', duration_ms: expect.any(Number) } },
    ])
  })

  it('a reply that is stopped within its tools leaves no status unfinished, and hears no tool that is late', async () => {
    const running = Promise.withResolvers<ToolContext['emit']>()
    app.ports.tools.registerSource({
      list: async () => [],
      resolve: async (_actor, id) =>
        id === 'test:deaf'
          ? [
              {
                name: 'deaf',
                description: '',
                parameters: {},
                run: (_args, { emit }) => {
                  running.resolve(emit)
                  return new Promise(() => undefined)
                },
              },
            ]
          : undefined,
    })
    const chat = await prepareChat(ana)
    const calls = ['one', 'two'].map((id) => ({ id, name: 'deaf', arguments: {} }))
    provider.script({ chunks: ['Let me see.'], toolCalls: calls })
    const reply = ana.post(path, { model: 'swift', stream: true, tool_ids: ['test:deaf'], ...chat.body })
    const emit = await running.promise
    expect(await ana.post(`/api/tasks/chat/${chat.chatId}/stop`)).toMatchObject({ status: 200 })
    expect(framesIn((await reply).text).at(-1)).toBe('[DONE]')
    const message = await chat.message()
    expect(message).toMatchObject({ content: 'Let me see.', done: true, stopped: true })
    expect(message.statusHistory.map(({ done }: { done: boolean }) => done)).toEqual([false, false, true, true])
    emit({ type: 'replace', data: { content: 'too late' } })
    emit({ type: 'message', data: { content: 'too late' } })
    // Any event after these: they would have come before it.
    await ana.post(`/api/v1/chats/${chat.chatId}/messages/${chat.messageId}/event`, {
      type: 'message',
      data: { content: ' More.' },
    })
    expect((await chat.message()).content).toBe('Let me see. More.')
    expect(await app.db.selectFrom('replyTasks').select('id').execute()).toEqual([])
  })

  it('that are required are required once, so that the model can answer with what they said', async () => {
    const count = provider.calls().length
    provider.usually({ text: 'It is noon.' })
    provider.script({ toolCalls: [{ name: 'current_time', arguments: {} }] })
    const reply = await ana.post(path, {
      model: 'swift',
      messages,
      tool_ids: ['builtin:time'],
      tool_choice: 'required',
    })
    expect(reply.body.choices[0].message.content).toBe('It is noon.')
    expect(
      provider
        .calls()
        .slice(count)
        .map(({ body }) => body.tool_choice),
    ).toEqual(['required', 'auto'])
  })

  it('leave one finish_reason in a streamed reply, also where the model says stop with its calls', async () => {
    provider.script(
      { chunks: ['Let me see.'], toolCalls: [{ name: 'current_time', arguments: {} }], finishReason: 'stop' },
      { text: 'It is noon.' },
    )
    const reply = await ana.post(path, { model: 'swift', messages, stream: true, tool_ids: ['builtin:time'] })
    const reasons = framesIn(reply.text).flatMap((frame) => frame.choices?.[0]?.finish_reason ?? [])
    expect(reasons).toEqual(['stop'])
    expect(framesIn(reply.text).at(-2).choices[0].finish_reason).toBe('stop')
  })

  it('builtin:chats finds what the caller said before, and nothing of anybody else', async () => {
    const [bob, eve] = await Promise.all([app.user(), app.user()])
    for (const [person, question] of [
      [bob, 'Where did I put the marmalade?'],
      [eve, 'My secret marmalade recipe'],
    ] as const) {
      const chat = await prepareChat(person, { question })
      await person.post(path, { model: 'swift', ...chat.body })
    }
    provider.script({ toolCalls: [{ name: 'search_chats', arguments: { query: 'marmalade' } }] }, { text: 'There.' })
    await bob.post(path, { model: 'swift', messages, tool_ids: ['builtin:chats'] })
    expect(results()[0]).toContain('put')
    expect(results()[0]).not.toContain('secret')
  })
})

describe('GET /api/v1/tools', () => {
  it('lists what the caller may name', async () => {
    const reply = await ana.get('/api/v1/tools')
    const ids = reply.body.items.map(({ id }: { id: string }) => id)
    expect(ids).toEqual(expect.arrayContaining(['builtin:chats', 'builtin:time']))
    // A platform admin has no chats to search.
    const admin = await (await app.platformOwner()).get('/api/v1/tools')
    expect(admin.text).toContain('builtin:time')
    expect(admin.text).not.toContain('builtin:chats')
  })
})
