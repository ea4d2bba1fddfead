/** A local runtime through the whole module: what is asked of it natively, and what its replies become. */
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { framesOf, somebody, testModels, textOf } from '#test/harness/models.ts'
import { gate, startModelRuntime } from '#test/peers/model-runtime.ts'

const runtime = await startModelRuntime({ models: ['tiny:latest', 'wide'] })
afterAll(() => runtime.close())
const env = { UPSTREAM_BASE_URL: runtime.url }
const { models, ask, uses, clock } = await testModels(env)

/** A moment passes, so that no connection rests because of the test before. */
beforeEach(() => {
  clock.forward({ minutes: 5 })
  uses.length = 0
})

interface Chunk {
  choices: { delta: Record<string, unknown>; finish_reason: string | null }[]
  usage?: unknown
}
const chunksOf = async (answer: Awaited<ReturnType<typeof ask>>) => (await framesOf(answer)) as Chunk[]

describe('a local runtime', () => {
  it('has its models in the list', async () => {
    const listed = await models.list(somebody)
    expect(listed.filter(({ owned_by: by }) => by === 'upstream')).toMatchObject([
      { id: 'tiny:latest', object: 'model', created: 1_767_323_045, connection_type: 'local' },
      { id: 'wide' },
    ])
  })

  it('is asked natively and answers a completion, counted by its own numbers', async () => {
    runtime.script({ text: 'Noon.', reasoning: ['Hm.'], usage: { prompt: 12, completion: 3 } })
    const answer = await ask('tiny:latest', { temperature: 0.5, max_tokens: 9 })
    expect(runtime.requests.at(-1)).toMatchObject({
      path: '/api/chat',
      body: { model: 'tiny:latest', stream: false, options: { temperature: 0.5, num_predict: 9 } },
    })
    expect(answer).toMatchObject({
      kind: 'whole',
      completion: {
        object: 'chat.completion',
        model: 'tiny:latest',
        usage: { total_tokens: 15 },
        choices: [
          { message: { role: 'assistant', content: 'Noon.', reasoning_content: 'Hm.' }, finish_reason: 'stop' },
        ],
      },
    })
    expect(uses).toEqual([{ model: 'tiny:latest', promptTokens: 12, completionTokens: 3, failed: false }])
  })

  it('streams thoughts, text and tool calls as events, piece by piece', async () => {
    const hold = gate()
    runtime.script({
      reasoning: ['Hm.'],
      chunks: ['\u{1f552} ', 'noon'],
      gate: hold,
      splitsAt: 3,
      toolCalls: [{ name: 'clock', arguments: { zone: 'UTC' } }],
    })
    hold.open()
    const answer = await ask('tiny:latest', { stream: true })
    hold.openForGood()
    const chunks = await chunksOf(answer)
    expect(chunks.map(({ choices }) => choices[0]?.delta)).toMatchObject([
      { role: 'assistant', reasoning_content: 'Hm.' },
      { content: '\u{1f552} ' },
      { content: 'noon' },
      { tool_calls: [{ index: 0, type: 'function', function: { name: 'clock', arguments: '{"zone":"UTC"}' } }] },
      {},
    ])
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('tool_calls')
    expect(uses).toEqual([{ model: 'tiny:latest', promptTokens: 10, completionTokens: 2, failed: false }])
  })

  it('tells usage in the stream to who asks for it', async () => {
    const answer = await ask('tiny:latest', { stream: true, stream_options: { include_usage: true } })
    expect((await chunksOf(answer)).at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 10 } })
    expect(runtime.requests.at(-1)?.body).not.toHaveProperty('stream_options')
  })

  it('refuses in its own words', async () => {
    runtime.script({ fail: { status: 400, body: { error: '"tiny" does not support thinking' } } })
    await expect(ask('tiny:latest')).rejects.toMatchObject({
      code: 'provider_refused',
      message: '"tiny" does not support thinking',
    })
  })

  it.each([
    ['breaks down', { fail: { status: 500 } }, 'provider_failed'],
    ['answers with a page', { bytes: '<html>', contentType: 'text/html' }, 'provider_failed'],
    ['answers with no JSON', { bytes: '{"message":', contentType: 'application/json' }, 'provider_failed'],
    ['tells an error with status 200', { bytes: '{"error":"out of memory"}\n' }, 'provider_failed'],
  ])('that %s fails, whole and streamed', async (_name, behaviour, code) => {
    for (const stream of [false, true]) {
      clock.forward({ minutes: 5 })
      runtime.script(behaviour)
      await expect(ask('tiny:latest', { stream })).rejects.toMatchObject({ code })
    }
  })

  it('that says nothing fails, whole and streamed', async () => {
    const impatient = await testModels(env, { config: { HTTP_CLIENT_TIMEOUT: 0.2 } })
    runtime.script({ hangs: true }, { hangs: true })
    const expected = { code: 'provider_timeout' }
    await Promise.all(
      [false, true].map((stream) => expect(impatient.ask('tiny:latest', { stream })).rejects.toMatchObject(expected)),
    )
  })

  it('that is cut in the middle of a line fails its reader, after what was said', async () => {
    runtime.script({ chunks: ['Hel', 'lo'], cutsAfter: 1 })
    const answer = await ask('tiny:latest', { stream: true })
    await expect(textOf(answer)).rejects.toMatchObject({ code: 'provider_failed' })
  })

  it.each([
    ['breaks down', { errorAfter: 1 }, 'the model runner has unexpectedly stopped'],
    ['ends without its last line', { done: 'never' as const }, 'The runtime ended its reply too early.'],
  ])('that %s in the middle ends with an error frame', async (_name, behaviour, message) => {
    runtime.script({ chunks: ['Hel', 'lo'], ...behaviour })
    const frames = await framesOf(await ask('tiny:latest', { stream: true }))
    expect(frames[0]).toMatchObject({ choices: [{ delta: { content: 'Hel' } }] })
    expect(frames.at(-1)).toMatchObject({ error: { message } })
  })

  it('is free again when the reader leaves', async () => {
    runtime.script({ chunks: ['Hel', 'lo'], hangsAfter: 1 })
    const asked = runtime.calls().length + 1
    const answer = await ask('tiny:latest', { stream: true })
    const call = await runtime.call(asked)
    if (answer.kind === 'stream') answer.flow.close()
    expect(await call.ended).toBe(false)
  })
})
