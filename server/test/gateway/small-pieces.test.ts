/** A reply of very many small pieces, in a chat, read over HTTP at the usual pace. */
import { afterAll, describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { framesIn, prepareChat } from '#test/harness/chat.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'

const provider = await startModelProvider({ models: ['swift'] })
const app = await testApp({ env: { COMPAT_API_BASE_URL: provider.url } })
afterAll(() => provider.close())

/** Enough to overtake a reader: what waits for one is cut after 3,500 pieces that stay apart. */
const count = 12_000
const frame = (delta: object, more: object = {}) =>
  `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: null, ...more }] })}\n\n`
const done = 'data: [DONE]\n\n'
const said = (text: string, field = 'content'): string =>
  framesIn(text)
    .map((one) => one.choices?.[0]?.delta?.[field] ?? '')
    .join('')
const argumentsIn = (text: string): string =>
  framesIn(text)
    .flatMap((one) => one.choices?.[0]?.delta?.tool_calls ?? [])
    .map((call: { function?: { arguments?: string } }) => call.function?.arguments ?? '')
    .join('')
const pieces = (of: (index: number) => string) => Array.from({ length: count }, (_, index) => of(index)).join('')

describe('very many small pieces', () => {
  it.each([
    ['of text', (n: number) => frame({ role: 'assistant', content: `${n % 10}` })],
    ['of text and thoughts by turns', (n: number) => frame(n % 2 ? { content: 'x' } : { reasoning_content: 'y' })],
    [
      'of text, each with its probability',
      (n: number) => frame({ content: `${n % 10}` }, { logprobs: { content: [] } }),
    ],
    ['of two answers by turns', (n: number) => frame({ content: `${n % 10}` }, { index: n % 2 })],
    ['of a call of a tool', () => frame({ tool_calls: [{ index: 0, function: { arguments: 'x' } }] })],
  ])(
    '%s reach their reader whole',
    async (_what, of) => {
      const ana = await app.user()
      const chat = await prepareChat(ana)
      const bytes = pieces(of) + done
      provider.script({ bytes })
      const { text } = await ana.post('/api/chat/completions', { model: 'swift', stream: true, ...chat.body })
      expect(text).not.toContain('"error"')
      expect(text.endsWith(done)).toBe(true)
      for (const field of ['content', 'reasoning_content']) {
        const [got, sent] = [said(text, field), said(bytes, field)]
        expect(got.length).toBe(sent.length)
      }
      expect(argumentsIn(text).length).toBe(argumentsIn(bytes).length)
    },
    60_000,
  )
})
