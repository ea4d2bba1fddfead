import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fillIn, fillInMessages, growthBudget, readVariables, type Variables } from './variables.ts'

const fill = (text: string, variables: Variables) => fillIn(text, variables, growthBudget())

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
    expect(fillInMessages(messages, variables, growthBudget())).toEqual([
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
    expect(fill('{{A}} {{B}} {{__proto__}} {{a}} {{constructor}}', variables)).toBe(
      '{{A}} {{B}} {{__proto__}} {{a}} {{constructor}}',
    )
  })

  it('are plain text: no value brings in another variable or a replacement pattern (A39)', () => {
    const nasty = fc.oneof(fc.string(), fc.constantFrom('{{USER_NAME}}', '$&', '$1', '\r\ndata: x\n\n', '\0'))
    fc.assert(
      fc.property(nasty, nasty, (name, language) => {
        const variables = readVariables({ '{{USER_NAME}}': name, '{{USER_LANGUAGE}}': language })
        expect(fill('<{{USER_NAME}}|{{USER_LANGUAGE}}>', variables)).toBe(`<${name}|${language}>`)
      }),
    )
  })

  it('are refused where they would lengthen a request beyond all measure, before anything is replaced', () => {
    const variables = readVariables({ A: 'x'.repeat(10_000) })
    const budget = growthBudget()
    const content = '{{A}}'.repeat(500)
    expect(fillIn(content, variables, budget)).toHaveLength(5_000_000)
    // The budget is one for all messages.
    expect(() => fillInMessages([{ role: 'user', content }], variables, budget)).toThrow(
      expect.objectContaining({ code: 'text_too_long', status: 413 }),
    )
    expect(() => fill('{{A}}'.repeat(6_000_000), variables)).toThrow(expect.objectContaining({ code: 'text_too_long' }))
  })
})
