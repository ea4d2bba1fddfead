/** Chat-completion requests as a local runtime reads them, and its whole replies. */
import { describe, expect, it } from 'vitest'
import { toCompletion } from './upstream-reply.ts'
import { toNativeChat } from './upstream-request.ts'

const user = (content: unknown) => ({ role: 'user', content: content as string })
const native = (request: object) => toNativeChat({ messages: [user('Hi')], ...request }, 'tiny:latest')

describe('a request to a local runtime', () => {
  it('names the model as the runtime does, and streams only when asked to', () => {
    expect(native({})).toEqual({
      model: 'tiny:latest',
      messages: [{ role: 'user', content: 'Hi' }],
      stream: false,
    })
    expect(native({ stream: true })).toMatchObject({ stream: true })
  })

  it('puts parameters under options, by the names they have there', () => {
    const { options } = native({
      temperature: 0,
      top_p: 0.5,
      top_k: 9,
      max_tokens: 7,
      stop: 'END',
      seed: 1,
      user: 'ana',
    })
    expect(options).toEqual({ temperature: 0, top_p: 0.5, top_k: 9, num_predict: 7, stop: ['END'], seed: 1 })
    expect(native({ stop: ['a', 'b'], max_completion_tokens: 3, max_tokens: 9 }).options).toEqual({
      stop: ['a', 'b'],
      num_predict: 3,
    })
    expect(
      native({ temperature: null, frequency_penalty: 1, presence_penalty: -1, options: { num_ctx: 4096 } }),
    ).toMatchObject({
      options: { frequency_penalty: 1, presence_penalty: -1, num_ctx: 4096 },
    })
  })

  it('asks for JSON, for a schema, for thoughts and for a stay in memory in the native way', () => {
    const schema = { type: 'object', properties: {} }
    expect(native({ response_format: { type: 'json_object' } }).format).toBe('json')
    expect(native({ response_format: { type: 'json_schema', json_schema: { name: 'x', schema } } }).format).toEqual(
      schema,
    )
    expect(native({ response_format: { type: 'text' } })).not.toHaveProperty('format')
    expect(native({ reasoning_effort: 'high', keep_alive: '5m' })).toMatchObject({ think: 'high', keep_alive: '5m' })
    expect(native({ reasoning_effort: 'none' })).toMatchObject({ think: false })
    expect(native({ think: true, reasoning_effort: 'low' })).toMatchObject({ think: true })
  })

  it('joins text parts and takes images as bare base64', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
    const parts = [{ type: 'text', text: 'What is' }, image, { type: 'text', text: 'this?' }]
    expect(native({ messages: [user(parts)] }).messages).toEqual([
      { role: 'user', content: 'What is\nthis?', images: ['AAAA'] },
    ])
  })

  it.each(['https://example.test/a.png', 'data:image/svg+xml,<svg/>', 17, null])('refuses the image %s', (url) => {
    const messages = [user([{ type: 'image_url', image_url: { url } }])]
    expect(() => native({ messages })).toThrow(expect.objectContaining({ code: 'provider_refused' }))
  })

  it('turns tool calls into objects and names the tool whose result comes back', () => {
    const tools = [{ type: 'function', function: { name: 'clock', parameters: {} } }]
    const call = { id: 'c1', type: 'function', function: { name: 'clock', arguments: '{"zone":"UTC"}' } }
    const messages = [
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: 'noon' },
    ]
    expect(native({ messages, tools })).toMatchObject({
      tools,
      messages: [
        { role: 'assistant', content: '', tool_calls: [{ function: { name: 'clock', arguments: { zone: 'UTC' } } }] },
        { role: 'tool', content: 'noon', tool_name: 'clock', tool_call_id: 'c1' },
      ],
    })
    expect(native({ tools, tool_choice: 'none' })).not.toHaveProperty('tools')
    expect(native({ tools, tool_choice: 'auto' })).toMatchObject({ tools })
    for (const tool_choice of ['required', { type: 'function', function: { name: 'x' } }])
      expect(() => native({ tools, tool_choice })).toThrow(/can't be forced to call a tool/)
    expect(native({ tool_choice: 'required' })).not.toHaveProperty('tools')
  })

  it.each(['', '{', '[1]', 'null', '"x"'])('reads the arguments %j, which are no object, as none', (text) => {
    const call = { id: 'c1', type: 'function', function: { name: 'clock', arguments: text } }
    const [message] = native({ messages: [{ role: 'assistant', tool_calls: [call] }] }).messages as never[]
    expect(message).toMatchObject({ tool_calls: [{ function: { name: 'clock', arguments: {} } }] })
  })
})

describe('a whole reply of a local runtime', () => {
  const envelope = { id: 'chatcmpl-1', model: 'tiny' }

  it('is a completion with text, thoughts, reason and counts', () => {
    const line = {
      created_at: '2026-01-02T03:04:05.678Z',
      message: { role: 'assistant', content: 'Noon.', thinking: 'Hm.' },
      done: true,
      done_reason: 'length',
      prompt_eval_count: 5,
      eval_count: 2,
    }
    expect(toCompletion(line, envelope)).toEqual({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1_767_323_045,
      model: 'tiny',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Noon.', reasoning_content: 'Hm.' },
          finish_reason: 'length',
        },
      ],
      usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
    })
  })

  it('carries tool calls with ids and arguments as text', () => {
    const calls = [{ function: { name: 'clock', arguments: { zone: 'UTC' } } }]
    const { choices } = toCompletion({ message: { content: '', tool_calls: calls } }, envelope) as {
      choices: unknown[]
    }
    expect(choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: null,
        tool_calls: [{ type: 'function', function: { name: 'clock', arguments: '{"zone":"UTC"}' } }],
      },
    })
  })

  it('counts a missing or impossible number as none', () => {
    const { usage } = toCompletion({ prompt_eval_count: -4, eval_count: 'many' }, envelope)
    expect(usage).toEqual({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 })
  })
})
