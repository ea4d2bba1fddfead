import { CountTokensBody } from '@chancery/contract/chats/messages-format.ts'
import { describe, expect, it } from 'vitest'
import { countTokens } from './count-tokens.ts'

const counted = (content: unknown, more: object = {}) =>
  countTokens(CountTokensBody.parse({ model: 'swift', messages: [{ role: 'user', content }], ...more }))

describe('estimating tokens', () => {
  it('counts text by its script, and something for every message', () => {
    expect(counted('a'.repeat(400))).toBe(104)
    expect(counted('漢'.repeat(400))).toBe(404)
  })

  it('counts an image alike, however large it is', () => {
    const image = (data: string) => [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }]
    expect(counted(image('A'.repeat(40)))).toBe(1604)
    expect(counted(image('A'.repeat(400_000)))).toBe(1604)
  })

  it('grows with the system prompt, tools and thinking', () => {
    const alone = counted('hi')
    expect(counted('hi', { system: 'Be brief.' })).toBeGreaterThan(alone)
    expect(counted('hi', { tools: [{ name: 'look', input_schema: { type: 'object' } }] })).toBeGreaterThan(alone + 12)
  })
})
