import { describe, expect, it } from 'vitest'
import { briefText, closedSummary, cutText, entriesOf, formatJson, isOpenAtFirst } from './json-summary.ts'

const many = (count: number) => Array.from({ length: count }, (_, index) => index)

describe('folding JSON', () => {
  it('opens small values near the root and keeps large or deep ones closed', () => {
    expect(isOpenAtFirst({ a: 1 }, 0)).toBe(true)
    expect(isOpenAtFirst(many(101), 0)).toBe(false)
    expect(isOpenAtFirst({ a: 1 }, 1)).toBe(true)
    expect(isOpenAtFirst(many(21), 1)).toBe(false)
    expect(isOpenAtFirst({ a: 1 }, 2)).toBe(false)
  })

  it('summarizes a closed value', () => {
    expect([{}, [], { a: 1 }, many(3)].map(closedSummary)).toEqual(['{ }', '[ ]', '{ 1 field }', '[ 3 items ]'])
  })

  it('cuts long texts, never inside a character', () => {
    expect(cutText('short')).toBeUndefined()
    const text = `${'a'.repeat(599)}😀${'b'.repeat(10)}`
    expect(cutText(text)).toEqual({ head: 'a'.repeat(599), total: 611 })
  })

  it('names list entries by their index', () => {
    expect(entriesOf(['x', 'y'])).toEqual([
      ['0', 'x'],
      ['1', 'y'],
    ])
  })

  it('formats a value in full for copying and briefly for a list', () => {
    expect(formatJson({ a: 1 })).toBe('{\n  "a": 1\n}')
    expect(formatJson('as it is')).toBe('as it is')
    expect(briefText({ text: 'x'.repeat(300) }, 20)).toBe(`{"text":"${'x'.repeat(11)}…`)
  })
})
