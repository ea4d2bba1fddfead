import { describe, expect, it } from 'vitest'
import { comparisonText, insertAt, markAt, pathText } from './filter-marks.ts'

describe('the location of a mistake', () => {
  it('is marked as a whole word or one symbol', () => {
    expect(markAt('payload["a"] >> lambda', { line: 1, column: 17 })).toEqual({
      before: 'payload["a"] >> ',
      wrong: 'lambda',
      after: '',
    })
    expect(markAt('(1 + ', { line: 1, column: 1 }).wrong).toBe('(')
  })

  it('is found on a later line', () => {
    expect(markAt('True and\n  fals', { line: 2, column: 3 })).toEqual({
      before: 'True and\n  ',
      wrong: 'fals',
      after: '',
    })
  })

  it('counts visible characters', () => {
    expect(markAt('"😀" + x', { line: 1, column: 7 }).wrong).toBe('x')
  })

  it('may be at the end of the text', () => {
    expect(markAt('payload[', { line: 1, column: 9 })).toEqual({ before: 'payload[', wrong: '', after: '' })
    expect(markAt('a', { line: 9, column: 9 })).toEqual({ before: 'a', wrong: '', after: '' })
  })
})

describe('a field of the payload', () => {
  it('is accessed with brackets', () => {
    expect(pathText([])).toBe('payload')
    expect(pathText(['order', 'lines', 0, 'it"em'])).toBe('payload["order"]["lines"][0]["it\\"em"]')
  })

  it('becomes a comparison that is true for its event', () => {
    expect(comparisonText(['n'], 4)).toBe('payload["n"] == 4')
    expect(comparisonText(['s'], 'x')).toBe('payload["s"] == "x"')
    expect(comparisonText(['t'], true)).toBe('payload["t"]')
    expect(comparisonText(['f'], false)).toBe('not payload["f"]')
    expect(comparisonText(['z'], null)).toBe('payload["z"] is None')
    expect(comparisonText(['o'], { a: 1 })).toBe('payload["o"]')
  })

  it('is joined to the text before it', () => {
    const end = (text: string) => ({ from: text.length, to: text.length })
    expect(insertAt('', end(''), 'p').text).toBe('p')
    expect(insertAt('a == 1', end('a == 1'), 'p').text).toBe('a == 1 and p')
    expect(insertAt('a == 1 or ', end('a == 1 or '), 'p').text).toBe('a == 1 or p')
    expect(insertAt('len(', end('len('), 'p')).toEqual({ text: 'len(p', caret: 5 })
    expect(insertAt('a == b', { from: 5, to: 6 }, 'p').text).toBe('a == p')
  })
})
