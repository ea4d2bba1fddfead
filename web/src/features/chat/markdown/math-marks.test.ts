import { describe, expect, it } from 'vitest'
import { markMath } from './math-marks.ts'

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
})
