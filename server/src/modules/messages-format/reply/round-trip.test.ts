import { MessagesBody } from '@chancery/contract/chats/messages-format.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toCompletion } from '../request/to-completion.ts'
import { createMessageEvents, type StreamEvent } from './message-events.ts'
import { type ReplyIdentity, toMessage } from './to-message.ts'

const frame: ReplyIdentity = { id: 'msg_1', model: 'swift', stopSequences: [], inputTokens: 7 }

const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
/** The server refuses every body with the key that is left out. */
const keys = words.filter((key) => key !== '__proto__')
const json = fc.dictionary(keys, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3, noNullPrototype: true })
const call = fc.record({ name: fc.stringMatching(/^[a-z_]{1,12}$/), input: json })

/** Any chat message that a model can send. */
const spoken = fc
  .record({ text: fc.option(words), reasoning: fc.option(words), calls: fc.array(call, { maxLength: 3 }) })
  .map(({ text, reasoning, calls }) => ({
    role: 'assistant',
    content: text ?? (calls.length > 0 ? null : ''),
    ...(reasoning === null ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map(({ name, input }, index) => ({
            id: `call_${index}`,
            type: 'function',
            function: { name, arguments: JSON.stringify(input) },
          })),
        }),
  }))
type Spoken = typeof spoken extends fc.Arbitrary<infer T> ? T : never

const finishOf = (message: Spoken) => ('tool_calls' in message ? 'tool_calls' : 'stop')
const usage = { prompt_tokens: 12, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 5 } }
const wholeOf = (message: Spoken) => ({ choices: [{ index: 0, message, finish_reason: finishOf(message) }], usage })

const pieces = (text: string, sizes: readonly number[]) => {
  const cut: string[] = []
  for (let at = 0, i = 0; at < text.length; i++) {
    const size = sizes[i % sizes.length] ?? 1
    cut.push(text.slice(at, at + size))
    at += size
  }
  return cut
}

const chunk = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
})

/** The same message as providers stream it; with `isMixed` the pieces of its tool calls take turns. */
const chunksOf = (message: Spoken, sizes: readonly number[], isMixed: boolean) => {
  const calls = (message.tool_calls ?? []).map((one, index) => [
    chunk({
      tool_calls: [{ index, id: one.id, type: 'function', function: { name: one.function.name, arguments: '' } }],
    }),
    ...pieces(one.function.arguments, sizes).map((text) =>
      chunk({ tool_calls: [{ index, function: { arguments: text } }] }),
    ),
  ])
  const rounds = Math.max(0, ...calls.map(({ length }) => length))
  const turns = Array.from({ length: rounds }, (_, i) => calls.flatMap((all) => all.slice(i, i + 1))).flat()
  return [
    chunk({ role: 'assistant', content: '' }),
    ...pieces(message.reasoning_content ?? '', sizes).map((text) => chunk({ reasoning_content: text })),
    ...pieces(message.content ?? '', sizes).map((text) => chunk({ content: text })),
    ...(isMixed ? turns : calls.flat()),
    chunk({}, finishOf(message)),
    { choices: [], usage },
  ]
}

const streamed = (chunks: readonly Record<string, unknown>[], options = frame): StreamEvent[] => {
  const events = createMessageEvents(options)
  return [...chunks.flatMap((one) => events.push(one)), ...events.end()]
}

// biome-ignore lint/suspicious/noExplicitAny: events are what a client reads.
type Any = any

/**
 * The message that a client builds from the events, written down from that API's description; throws at a wrong order.
 */
const gathered = (events: readonly StreamEvent[]): Any => {
  let message: Any
  let open: Any
  let isOver = false
  for (const event of events as readonly Any[]) {
    if (isOver) throw new Error(`${event.type} after the end`)
    if (!message && event.type !== 'message_start') throw new Error(`${event.type} before the start`)
    if (event.type === 'message_start') message = structuredClone(event.message)
    if (event.type === 'content_block_start') {
      if (open || event.index !== message.content.length) throw new Error('blocks overlap or skip')
      open = { ...event.content_block, json: '' }
      message.content.push(open)
    }
    if (event.type === 'content_block_delta') {
      if (!open || event.index !== message.content.length - 1) throw new Error('a delta outside its block')
      const { type, ...delta } = event.delta
      if (type === 'text_delta') open.text += delta.text
      if (type === 'thinking_delta') open.thinking += delta.thinking
      if (type === 'signature_delta') open.signature = delta.signature
      if (type === 'input_json_delta') open.json += delta.partial_json
    }
    if (event.type === 'content_block_stop') {
      if (!open || event.index !== message.content.length - 1) throw new Error('a stop outside its block')
      if (open.json !== '') open.input = JSON.parse(open.json)
      delete open.json
      open = undefined
    }
    if (event.type === 'message_delta') {
      if (open) throw new Error('a block is left open')
      Object.assign(message, event.delta, { usage: event.usage })
    }
    isOver = event.type === 'message_stop'
  }
  if (!isOver) throw new Error('it never ended')
  return message
}

const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 })

describe('replies in the messages format', () => {
  it('come back in the next request as the model said them', () => {
    fc.assert(
      fc.property(spoken, (message) => {
        const { content } = toMessage(wholeOf(message), frame)
        const next = MessagesBody.parse({ model: 'swift', messages: [{ role: 'assistant', content }] })
        expect(toCompletion(next).messages).toEqual([message])
      }),
    )
  })

  it('are the same streamed as whole, however the model cuts its pieces and mixes its tool calls', () => {
    fc.assert(
      fc.property(spoken, sizes, fc.boolean(), (message, cuts, isMixed) => {
        expect(gathered(streamed(chunksOf(message, cuts, isMixed)))).toEqual(toMessage(wholeOf(message), frame))
      }),
    )
  })

  it('come back as they were said when they were streamed and signed', () => {
    const signed = fc.record({ thinking: words, signature: words, text: words })
    fc.assert(
      fc.property(signed, sizes, ({ thinking, signature, text }, cuts) => {
        const { content } = gathered(
          streamed([
            ...pieces(thinking, cuts).map((piece) =>
              chunk({ reasoning_content: piece, thinking_blocks: [{ type: 'thinking', thinking: piece }] }),
            ),
            chunk({ thinking_blocks: [{ type: 'thinking', thinking: '', signature }] }),
            chunk({ thinking_blocks: [{ type: 'redacted_thinking', data: 'hidden' }] }),
            chunk({ content: text }),
            chunk({}, 'stop'),
          ]),
        )
        const next = MessagesBody.parse({ model: 'swift', messages: [{ role: 'assistant', content }] })
        expect(toCompletion(next).messages).toEqual([
          {
            role: 'assistant',
            content: text,
            reasoning_content: thinking,
            thinking_blocks: [
              { type: 'thinking', thinking, signature },
              { type: 'redacted_thinking', data: 'hidden' },
            ],
          },
        ])
      }),
    )
  })
})

describe('the order of events', () => {
  const typesOf = (events: readonly Any[]) =>
    events.map(({ type, index, delta }) => [type, index, delta?.type].filter((part) => part !== undefined).join(' '))
  const look = (index: number, text: string, id = `c${index}`) =>
    chunk({ tool_calls: [{ index, id, function: { name: 'look', arguments: text } }] })

  it('is that of the API: thinking, text, tools, each closed before the next', () => {
    const events = streamed([
      chunk({ reasoning_content: 'Hm.' }),
      chunk({ content: 'Yes.' }),
      look(0, '{}'),
      chunk({}, 'tool_calls'),
      { choices: [], usage },
    ])
    expect(typesOf(events)).toEqual([
      'message_start',
      'ping',
      'content_block_start 0',
      'content_block_delta 0 thinking_delta',
      'content_block_stop 0',
      'content_block_start 1',
      'content_block_delta 1 text_delta',
      'content_block_stop 1',
      'content_block_start 2',
      'content_block_delta 2 input_json_delta',
      'content_block_stop 2',
      'message_delta',
      'message_stop',
    ])
    expect(events.at(-2)).toEqual({
      type: 'message_delta',
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      usage: { input_tokens: 7, cache_creation_input_tokens: 0, cache_read_input_tokens: 5, output_tokens: 7 },
    })
  })

  it('closes a whole tool call as soon as the next begins', () => {
    const events = createMessageEvents(frame)
    events.push(look(0, '{"a":1}'))
    expect(typesOf(events.push(look(1, '')))).toEqual(['content_block_stop 0', 'content_block_start 1'])
  })

  it('keeps text that follows a tool call, in a block of its own', () => {
    const { content } = gathered(
      streamed([chunk({ content: 'a' }), look(0, '{}'), chunk({ content: 'b' }), chunk({}, 'stop')]),
    )
    expect(content.map(({ type }: Any) => type)).toEqual(['text', 'tool_use', 'text'])
  })

  it('tells calls apart that all claim index 0, and names those without an id', () => {
    const { content } = gathered(
      streamed([look(0, '{"a":1}', 'x'), look(0, '{"a":2}', 'y'), look(1, '{}', ''), chunk({}, 'tool_calls')]),
    )
    expect(content).toMatchObject([{ id: 'x', input: { a: 1 } }, { id: 'y', input: { a: 2 } }, { id: 'toolu_1_2' }])
  })

  it('carries sources on the message that they belong to', () => {
    const [start] = streamed([{ sources: [{ source: { id: 's' } }] }, chunk({ content: 'x' }), chunk({}, 'stop')])
    expect(start).toMatchObject({ message: { sources: [{ source: { id: 's' } }] } })
  })
})

describe('why a reply ended', () => {
  const options = { ...frame, stopSequences: ['\n\nHuman:', 'END'] }
  const whole = (choice: object) => toMessage({ choices: [{ message: { content: 'so' }, ...choice }] }, options)

  it.each([
    [{ finish_reason: 'stop' }, { stop_reason: 'end_turn', stop_sequence: null }],
    [{ finish_reason: 'length' }, { stop_reason: 'max_tokens', stop_sequence: null }],
    [{ finish_reason: 'content_filter' }, { stop_reason: 'refusal', stop_sequence: null }],
    [
      { finish_reason: 'stop', stop_reason: 'END' },
      { stop_reason: 'stop_sequence', stop_sequence: 'END' },
    ],
    [
      { finish_reason: 'stop', matched_stop: 'END' },
      { stop_reason: 'stop_sequence', stop_sequence: 'END' },
    ],
    [
      { finish_reason: 'stop', stop_reason: 151645 },
      { stop_reason: 'end_turn', stop_sequence: null },
    ],
    [
      { finish_reason: 'stop', message: { content: 'The END' } },
      { stop_reason: 'stop_sequence', stop_sequence: 'END' },
    ],
  ])('is read from %j', (choice, stop) => expect(whole(choice)).toMatchObject(stop))

  it('is known in a stream too, though the sequence comes in pieces', () => {
    const events = streamed(
      [chunk({ content: 'The E' }), chunk({ content: 'N' }), chunk({ content: 'D' }), chunk({}, 'stop')],
      options,
    )
    expect(gathered(events)).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: 'END' })
  })
})

describe('tools called badly', () => {
  it.each([
    ['', {}],
    ['not json', { arguments: 'not json' }],
    ['[1]', { arguments: '[1]' }],
  ])('hands %j over as %j', (text, input) => {
    const message = { tool_calls: [{ id: 'c', function: { name: 'look', arguments: text } }] }
    expect(toMessage({ choices: [{ message }] }, frame).content).toMatchObject([{ input }])
  })
})
