import { MessagesBody } from '@chancery/contract/chats/messages-format.ts'
import { describe, expect, it } from 'vitest'
import { toCompletion } from './to-completion.ts'

/** As a client sends it: through the schema of the door. */
const converted = (body: Record<string, unknown>) =>
  toCompletion(
    MessagesBody.parse({ model: 'swift', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }], ...body }),
  )

const messagesOf = (...messages: unknown[]) => converted({ messages }).messages

const pixel = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0=' } }
const pixelPart = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0=' } }

describe('a request in the messages format, as a chat completion', () => {
  it('keeps what both know, renames what differs, and drops what has no counterpart', () => {
    expect(
      converted({
        temperature: 0.3,
        top_p: 0.9,
        top_k: 40,
        stop_sequences: ['END'],
        metadata: { user_id: 'u-1' },
        service_tier: 'auto',
        anthropic_beta: ['x'],
      }),
    ).toEqual({
      model: 'swift',
      max_tokens: 100,
      temperature: 0.3,
      top_p: 0.9,
      top_k: 40,
      stop: ['END'],
      user: 'u-1',
      stream: false,
      messages: [{ role: 'user', content: 'hi' }],
    })
  })

  it('asks for usage when it streams', () => {
    expect(converted({ stream: true })).toMatchObject({ stream: true, stream_options: { include_usage: true } })
  })

  it('passes our own fields on', () => {
    const own = {
      chat_id: 'c',
      id: 'm',
      session_id: 's',
      tool_ids: ['t'],
      filter_ids: ['f'],
      features: { memory: true },
    }
    expect(converted(own)).toMatchObject(own)
  })

  it.each([
    ['a string', 'Be brief.', 'Be brief.'],
    [
      'blocks',
      [
        { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } },
        { type: 'text', text: 'Be kind.' },
      ],
      'Be brief.\nBe kind.',
    ],
  ])('puts the system prompt first, given as %s', (_name, system, content) => {
    expect(converted({ system }).messages[0]).toEqual({ role: 'system', content })
  })

  it('writes texts as one string, and parts only where there is more than text', () => {
    const [texts, mixed] = messagesOf(
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          pixel,
          { type: 'image', source: { type: 'url', url: 'https://example.test/a.png' } },
        ],
      },
    )
    expect(texts).toEqual({ role: 'user', content: 'a\nb' })
    expect(mixed).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        pixelPart,
        { type: 'image_url', image_url: { url: 'https://example.test/a.png' } },
      ],
    })
  })

  it('answers each tool call with a message of its own, before what the user adds, and moves images after them', () => {
    expect(
      messagesOf(
        { role: 'user', content: 'Compare.' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Looking.' },
            { type: 'tool_use', id: 'c1', name: 'look', input: { at: 'a' } },
            { type: 'tool_use', id: 'c2', name: 'look', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'And?' },
            { type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'seen' }, pixel] },
            { type: 'tool_result', tool_use_id: 'c2', content: 'no such thing', is_error: true },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c3' }] },
      ),
    ).toEqual([
      { role: 'user', content: 'Compare.' },
      {
        role: 'assistant',
        content: 'Looking.',
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":"a"}' } },
          { id: 'c2', type: 'function', function: { name: 'look', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'seen' },
      { role: 'tool', tool_call_id: 'c2', content: 'Error: no such thing' },
      {
        role: 'user',
        content: [{ type: 'text', text: 'From the result of c1:' }, pixelPart, { type: 'text', text: 'And?' }],
      },
      { role: 'tool', tool_call_id: 'c3', content: '' },
    ])
  })

  it('writes documents and search results as text, and hands a PDF on as a file', () => {
    const [message] = messagesOf({
      role: 'user',
      content: [
        { type: 'document', title: 'Notes', source: { type: 'text', media_type: 'text/plain', data: 'one two' } },
        { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'three' }] } },
        {
          type: 'search_result',
          source: 'https://example.test',
          title: 'Four',
          content: [{ type: 'text', text: 'five' }],
        },
      ],
    })
    expect(message).toEqual({ role: 'user', content: 'Notes\none two\nthree\nFour (https://example.test)\nfive' })
    const [pdf] = messagesOf({
      role: 'user',
      content: [
        { type: 'document', title: 'a.pdf', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBE' } },
      ],
    })
    expect(pdf?.content).toEqual([
      { type: 'text', text: 'a.pdf' },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBE' } },
    ])
  })

  it('gives thinking back, with its signature where it has one', () => {
    const signed = { type: 'thinking', thinking: 'Hm.', signature: 'sig' }
    const hidden = { type: 'redacted_thinking', data: 'xyz' }
    const [plain, both] = messagesOf(
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: '' },
          { type: 'text', text: 'Yes.' },
        ],
      },
      { role: 'assistant', content: [signed, hidden, { type: 'text', text: 'Yes.' }] },
    )
    expect(plain).toEqual({ role: 'assistant', content: 'Yes.', reasoning_content: 'Hm.' })
    expect(both).toEqual({
      role: 'assistant',
      content: 'Yes.',
      reasoning_content: 'Hm.',
      thinking_blocks: [signed, hidden],
    })
  })

  const tools = [{ name: 'look', description: 'Looks.', input_schema: { type: 'object' } }]

  it.each([
    [{ type: 'auto' }, { tool_choice: 'auto' }],
    [{ type: 'any' }, { tool_choice: 'required' }],
    [{ type: 'none' }, { tool_choice: 'none' }],
    [{ type: 'tool', name: 'look' }, { tool_choice: { type: 'function', function: { name: 'look' } } }],
    [
      { type: 'auto', disable_parallel_tool_use: true },
      { tool_choice: 'auto', parallel_tool_calls: false },
    ],
  ])('says %j in the other words', (tool_choice, expected) => {
    expect(converted({ tools, tool_choice })).toEqual({
      ...converted({}),
      tools: [{ type: 'function', function: { name: 'look', description: 'Looks.', parameters: { type: 'object' } } }],
      ...expected,
    })
  })

  it('mentions no tools where there are none', () => {
    expect(converted({ tools: [], tool_choice: { type: 'auto' } })).toEqual(converted({}))
  })

  it.each([
    [{ thinking: { type: 'enabled', budget_tokens: 1024 } }, 'low'],
    [{ thinking: { type: 'enabled', budget_tokens: 10_000 } }, 'medium'],
    [{ thinking: { type: 'enabled', budget_tokens: 32_000 } }, 'high'],
    [{ thinking: { type: 'disabled' } }, undefined],
    [{ thinking: { type: 'adaptive' }, output_config: { effort: 'medium' } }, 'medium'],
  ])('reads %j as an effort', (fields, effort) => {
    expect(converted(fields).reasoning_effort).toBe(effort)
  })

  it('asks for JSON by its schema', () => {
    expect(converted({ output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } })).toMatchObject(
      {
        response_format: { type: 'json_schema', json_schema: { schema: { type: 'object' } } },
      },
    )
  })

  it.each([
    [
      'a block of a type we do not know',
      { messages: [{ role: 'user', content: [{ type: 'container_upload', file_id: 'f' }] }] },
    ],
    [
      'a document by its address',
      {
        messages: [
          { role: 'user', content: [{ type: 'document', source: { type: 'url', url: 'https://example.test/a.pdf' } }] },
        ],
      },
    ],
    ['a tool that its own servers run', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
    ['a role it has not', { messages: [{ role: 'tool', content: 'x' }] }],
  ])('refuses %s', (_name, body) => expect(() => converted(body)).toThrow())
})
