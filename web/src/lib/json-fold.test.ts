import { describe, expect, it } from 'vitest'
import { cutText, entriesOf, isOpenAtFirst, sayBriefly, sayClosed, sayJson } from './json-fold.ts'

const many = (count: number) => Array.from({ length: count }, (_, index) => index)

describe('folding JSON', () => {
  it('opens small things near the root and keeps large or deep ones closed', () => {
    expect(isOpenAtFirst({ a: 1 }, 0)).toBe(true)
    expect(isOpenAtFirst(many(101), 0)).toBe(false)
    expect(isOpenAtFirst({ a: 1 }, 1)).toBe(true)
    expect(isOpenAtFirst(many(21), 1)).toBe(false)
    expect(isOpenAtFirst({ a: 1 }, 2)).toBe(false)
  })

  it('says what is in a closed one', () => {
    expect([{}, [], { a: 1 }, many(3)].map(sayClosed)).toEqual(['{ }', '[ ]', '{ 1 field }', '[ 3 items ]'])
  })

  it('cuts long texts, never within a character', () => {
    expect(cutText('short')).toBeUndefined()
    const text = `${'a'.repeat(599)}😀${'b'.repeat(10)}`
    expect(cutText(text)).toEqual({ head: 'a'.repeat(599), total: 611 })
  })

  it('names entries of a list by their place', () => {
    expect(entriesOf(['x', 'y'])).toEqual([
      ['0', 'x'],
      ['1', 'y'],
    ])
  })

  it('says a value whole for copying and briefly for a list', () => {
    expect(sayJson({ a: 1 })).toBe('{\n  "a": 1\n}')
    expect(sayJson('as it is')).toBe('as it is')
    expect(sayBriefly({ text: 'x'.repeat(300) }, 20)).toBe(`{"text":"${'x'.repeat(11)}…`)
  })
})
