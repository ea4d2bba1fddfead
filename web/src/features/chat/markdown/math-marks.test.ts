import { describe, expect, it } from 'vitest'
import { hasFormula, hideFormulas, markMath } from './math-marks.ts'

describe('formulas in a reply', () => {
  it.each([
    ['so $x^2$ it is', 'so $$x^2$$ it is'],
    ['so \\(x^2\\) it is', 'so $$x^2$$ it is'],
    ['then \\[ a + b \\] follows', 'then \n$$\na + b\n$$\n follows'],
    ['$$\na\n$$', '$$\na\n$$'],
    ['inline $$a$$ stays', 'inline $$a$$ stays'],
  ])('reads %j', (written, read) => expect(markMath(written)).toBe(read))

  it.each([
    'it costs $5 and then $10 more',
    'between $5-$10',
    'a price of $1,000 or $2,000.',
    '`$HOME/$USER` and ```\necho $a $b\n``` end',
    'a lone $ sign',
    'escaped \\$x\\$',
  ])('leaves %j alone', (written) => expect(markMath(written)).toBe(written))

  it.each([
    ['so $x^2', 'so '],
    ['so \\(x^2', 'so '],
    ['so \\', 'so '],
    ['then \\[ a +\n b', 'then '],
    ['closed $$a$$ and $$b', 'closed $$a$$ and '],
    ['it costs $5 and', 'it costs $5 and'],
    ['`$HOME', '`'],
  ])('holds back the open formula of the unfinished text %j', (written, shown) =>
    expect(markMath(written, true)).toBe(shown),
  )

  it('shows the source of a formula that never closes', () => {
    const text = `a \\[ ${'x '.repeat(400)}`
    expect(markMath(text, true)).toBe(text)
  })

  it('shows a placeholder while the library loads, and needs the library only for formulas', () => {
    expect(hideFormulas('so $$x^2$$ and `$$y$$` it is')).toBe('so … and `$$y$$` it is')
    expect(hasFormula('so $$x^2$$ it is')).toBe(true)
    expect(hasFormula('it costs $5, or `$$y$$`')).toBe(false)
  })
})

it.each(['\\[ ', '\\( ', '$a ', '$$', '$ ', '\\(\n', '`', '~~~', '\\', '$$$'])(
  'a message of nothing but %j is marked in one reading, so that it hangs no tab',
  (beginning) => {
    const text = `${beginning.repeat(300_000)}x\n`
    for (const isStreaming of [false, true]) hasFormula(markMath(text, isStreaming))
  },
)
