import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type KitOptions, testKit } from '../src/test-kit.ts'
import { Tools as FormTools } from './form_tool.ts'
import { Tools as HttpTools } from './http_tool.ts'
import { Filter as PiiMask } from './pii_mask.ts'
import { Pipe } from './research_pipe.ts'
import { Action as SignAction } from './sign_action.ts'
import { Filter as TokenBudget } from './token_budget.ts'

afterEach(() => vi.unstubAllGlobals())
const replies = (body: unknown, status = 200) => {
  const calls: { url: string; headers: Record<string, string> }[] = []
  vi.stubGlobal('fetch', async (url: URL, init: { headers?: Record<string, string> } = {}) => {
    calls.push({ url: String(url), headers: init.headers ?? {} })
    return new Response(JSON.stringify(body), { status })
  })
  return calls
}
const user = (content: string) => ({ role: 'user', content })
const chunk = (content: string, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: { content }, finish_reason }],
})

describe('the mask for personal data', () => {
  it('hides data from the model and puts it back into the reply, also where a chunk cuts a placeholder', async () => {
    const kit = testKit(PiiMask)
    const text = 'Write to ana@example.test and bob@example.test or +351 912 345 678; again ana@example.test.'
    const sent = (await kit.call('inlet', { model: 'm', messages: [user(text)] })) as {
      messages: { content: string }[]
    }
    expect(sent.messages[0]?.content).toBe('Write to [EMAIL_1] and [EMAIL_2] or [PHONE_3]; again [EMAIL_1].')
    let shown = ''
    for (const [piece, reason] of [
      ['I wrote to [EM', null],
      ['AIL_', null],
      ['1], and [EMAIL', null],
      ['_2]', null],
      ['', 'stop'],
    ] as const) {
      const { choices } = (await kit.call('stream', chunk(piece, reason))) as ReturnType<typeof chunk>
      shown += choices[0]?.delta.content ?? ''
    }
    expect(shown).toBe('I wrote to ana@example.test, and bob@example.test')
    const stored = await kit.call('outlet', {
      model: 'm',
      messages: [{ role: 'assistant', content: 'To [EMAIL_2] [EMAIL_9]' }],
    })
    expect(stored).toMatchObject({ messages: [{ content: 'To bob@example.test [EMAIL_9]' }] })
  })

  it('keeps chats apart', async () => {
    const kit = testKit(PiiMask)
    await kit.call('inlet', { model: 'm', messages: [user('ana@example.test')] })
    const other = { __chat_id__: 'other', __user__: { id: 'other' } } as never
    expect(kit.plugin.outlet({ model: 'm', messages: [user('[EMAIL_1]')] }, other).messages).toEqual([
      user('[EMAIL_1]'),
    ])
  })
})

describe('the token budget', () => {
  it('leaves out the oldest messages, keeps the system prompt, and refuses what is too long by itself', async () => {
    const kit = testKit(TokenBudget, { valves: { budget: 100 } })
    const system = { role: 'system', content: 'Be brief.' }
    const messages = [system, user('a'.repeat(300)), user('b'.repeat(200)), user('c')]
    expect(await kit.call('inlet', { model: 'm', messages })).toMatchObject({
      messages: [system, messages[2], messages[3]],
    })
    expect(kit.events).toEqual([{ type: 'status', data: { description: 'Left out 1 earlier messages', done: true } }])
    await expect(kit.call('inlet', { model: 'm', messages: [user('x'.repeat(1000))] })).rejects.toThrow(
      'longer than 100 tokens',
    )
  })
})

describe('the HTTP tool', () => {
  it('reads below its base URL only, with its key', async () => {
    const calls = replies({ total: 3 })
    const kit = testKit(HttpTools, { valves: { base_url: 'https://api.example.test/v1', key: 'k' } })
    expect(await kit.call('api_get', { path: '/orders/17', query: { full: true } })).toBe('{"total":3}')
    expect(await kit.call('api_get', { path: '/../admin' })).toBe('This path is not allowed.')
    expect(calls).toEqual([
      {
        url: 'https://api.example.test/v1/orders/17?full=true',
        headers: { accept: 'application/json', authorization: 'Bearer k' },
      },
    ])
    replies('gone', 404)
    expect(await kit.call('api_get', { path: 'x' })).toContain('404')
  })
})

describe('the research pipe', () => {
  it('answers from what it found, with status and sources', async () => {
    replies({
      query: {
        pages: {
          2: { title: 'B', extract: 'Second.', fullurl: 'u2', index: 2 },
          1: { title: 'A', extract: 'First.', fullurl: 'u1', index: 1 },
        },
      },
    })
    const kit = testKit(Pipe)
    expect(await kit.call('pipe', { model: 'm', messages: [user('What?')] })).toEqual([
      '**A** [1]: First.\n\n',
      '**B** [2]: Second.\n\n',
    ])
    expect(kit.events.map(({ type }) => type)).toEqual(['status', 'status', 'source', 'source'])
    expect(kit.events[1]).toEqual({ type: 'status', data: { description: 'Read 2 articles', done: true } })
  })
})

describe('the form', () => {
  it('asks for each field, hides secrets, and sends only what was confirmed', async () => {
    const args = { title: 'Order', fields: ['Name', 'PIN'] }
    const kit = testKit(FormTools, { answers: { input: 'x', confirmation: true } })
    expect(await kit.call('fill_in_form', args)).toBe('{"Name":"x","PIN":"x"}')
    expect(kit.questions.map(({ data }) => (data as { type?: string }).type)).toEqual(['text', 'password', undefined])
    expect(kit.events).toMatchObject([{ type: 'notification', data: { type: 'success' } }])
    const refused = testKit(FormTools, { answers: { input: 'x', confirmation: false } })
    expect(await refused.call('fill_in_form', args)).toContain('did not confirm')
    const left = testKit(FormTools, { answers: { input: null } })
    expect(await left.call('fill_in_form', args)).toContain('cancelled')
    await expect(testKit(FormTools).call('fill_in_form', args)).rejects.toThrow('not connected')
  })
})

describe('the action that sends a reply for signature', () => {
  const body = { model: 'm', messages: [user('Draft it'), { role: 'assistant', content: 'We agree.' }] }
  const valves = { template_id: 't', role: 'Signer', field: 'Text' }
  const runWith = async (options: KitOptions) => {
    const sent: unknown[] = []
    const call = async (args: unknown) => {
      sent.push(args)
      return { content: '{"title":"Agreement"}' }
    }
    const handle = { name: 'send_for_signature', description: '', parameters: {}, call }
    const kit = testKit(SignAction, { helpers: { __tools__: { send_for_signature: handle } }, ...options })
    return { result: await kit.call('action', body), sent, kit }
  }

  it('puts the reply into the template and sends it, once it is confirmed', async () => {
    const { result, sent, kit } = await runWith({
      user: { valves },
      answers: { input: 'kim@example.test', confirmation: true },
    })
    expect(result).toBe('Sent to kim@example.test')
    expect(sent).toMatchObject([{ template_id: 't', recipients: [{ role: 'Signer' }], values: { Text: 'We agree.' } }])
    expect(kit.events).toMatchObject([{ type: 'status', data: { done: true } }])
  })

  it.each([
    [{ user: { valves: { role: 'Signer', field: 'Text' } } }, 'Choose a template first'],
    [{ user: { valves }, answers: { input: null } }, 'Nothing was sent.'],
    [{ user: { valves }, answers: { input: 'Kim', confirmation: false } }, 'Nothing was sent.'],
  ])('sends nothing with %j', async (options, words) => {
    const { result, sent } = await runWith(options)
    expect(result).toContain(words)
    expect(sent).toEqual([])
  })
})

describe('the test kit', () => {
  it('runs a plugin of the documentation as its page shows, with the defaults of its settings', async () => {
    const page = readFileSync(new URL('../../docs/plugins.md', import.meta.url), 'utf8')
    const blocks = [...page.matchAll(/^```(ts|js)\n([\s\S]*?)^```/gm)]
    const source = blocks.find(([, language, text]) => language === 'ts' && text?.includes('distance('))?.[2] ?? ''
    const shown = blocks.find(([, language]) => language === 'js')?.[2] ?? ''
    const { Tools } = await import(`data:text/javascript,${encodeURIComponent(stripTypeScriptTypes(source))}`)
    const run = new Function(
      'testKit',
      'Tools',
      'expect',
      `return (async () => {${shown.replace(/^import .*$/m, '')}})()`,
    )
    await run(testKit, Tools, expect)
    expect(await testKit(Tools).call('distance' as never, { to: 'Porto' })).toBe(
      'Porto: 12 km (by https://api.example.com)',
    )
  })
})
