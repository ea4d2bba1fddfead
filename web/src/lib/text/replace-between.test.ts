import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { replaceBetween } from './replace-between.ts'

const brackets = { opening: '\\[', closing: '\\]' }
const parentheses = { opening: '\\(', closing: '\\)', inOneLine: true }

describe('what stands between two marks', () => {
  it('is found where a pattern finds it', () => {
    const text = fc
      .array(fc.constantFrom('\\[', '\\]', '\\(', '\\)', 'a', '\n', '\\', '$'))
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, (given) => {
        expect(replaceBetween(given, brackets, (body) => `<${body}>`)).toBe(
          given.replace(/\\\[([\s\S]+?)\\\]/g, (_, body) => `<${body}>`),
        )
        expect(replaceBetween(given, parentheses, (body) => `<${body}>`)).toBe(
          given.replace(/\\\((.+?)\\\)/g, (_, body) => `<${body}>`),
        )
      }),
      { numRuns: 2000 },
    )
  })

  it.each(['\\[ ', '\\( ', '\\(\n'])('is looked for once in a long text of beginnings: %j', (beginning) => {
    const text = `${beginning.repeat(500_000)}\n`
    expect(replaceBetween(text, brackets, () => '')).toBe(text)
    expect(replaceBetween(text, parentheses, () => '')).toBe(text)
    const closed = `${text}\\) \\)`
    expect(replaceBetween(closed, parentheses, () => '')).toBe(closed)
  })
})
