import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fillIn, fillInMessages, readVariables } from './variables.ts'

describe('variables', () => {
  it('are replaced in every message, also within its parts', () => {
    const variables = readVariables({ '{{USER_NAME}}': 'Ana', USER_LANGUAGE: 'pt' })
    const messages = [
      { role: 'system', content: '{{USER_NAME}} speaks {{USER_LANGUAGE}}.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'I am {{USER_NAME}}' },
          { type: 'image_url', image_url: {} },
        ],
      },
      { role: 'assistant', content: null },
    ]
    expect(fillInMessages(messages, variables)).toEqual([
      { role: 'system', content: 'Ana speaks pt.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'I am Ana' },
          { type: 'image_url', image_url: {} },
        ],
      },
      { role: 'assistant', content: null },
    ])
  })

  it('stay as they are when nobody gave them, or gave something that is no text', () => {
    const variables = readVariables({ '{{A}}': { toString: 'x' }, '{{__proto__}}': 'x', '{{a}}': 'x' })
    expect(fillIn('{{A}} {{B}} {{__proto__}} {{a}} {{constructor}}', variables)).toBe(
      '{{A}} {{B}} {{__proto__}} {{a}} {{constructor}}',
    )
  })

  it('are plain text: no value brings in another variable or a replacement pattern (A39)', () => {
    const nasty = fc.oneof(fc.string(), fc.constantFrom('{{USER_NAME}}', '$&', '$1', '\r\ndata: x\n\n', '\0'))
    fc.assert(
      fc.property(nasty, nasty, (name, language) => {
        const variables = readVariables({ '{{USER_NAME}}': name, '{{USER_LANGUAGE}}': language })
        expect(fillIn('<{{USER_NAME}}|{{USER_LANGUAGE}}>', variables)).toBe(`<${name}|${language}>`)
      }),
    )
  })
})
