/** The linear search against JavaScript's own. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Budget } from '../src/limits/budget.ts'
import { createFinder } from '../src/values/search.ts'

const textOf = (maxLength: number) =>
  fc.array(fc.constantFrom('a', 'a', 'a', 'b', '😀'), { maxLength }).map((characters) => characters.join(''))

it('finds what JavaScript finds, from both ends', () => {
  fc.assert(
    fc.property(textOf(40), textOf(14), fc.nat(40), (text, some, place) => {
      const part = some === '' ? 'a' : some
      const from = Math.min(place, text.length)
      const finder = createFinder(part, new Budget())
      expect(finder.first(text, from)).toBe(text.indexOf(part, from))
      expect(finder.last(text, from)).toBe(from < part.length ? -1 : text.lastIndexOf(part, from - part.length))
    }),
    { numRuns: 5000 },
  )
})

it('compares no character twice, however nearly a part fits everywhere', () => {
  const [text, part] = ['a'.repeat(20_000), `${'a'.repeat(10_000)}b`]
  for (const search of ['first', 'last'] as const) {
    const budget = new Budget()
    const wanted = search === 'first' ? part : `b${'a'.repeat(10_000)}`
    expect(createFinder(wanted, budget)[search](text, search === 'first' ? 0 : text.length)).toBe(-1)
    expect(budget.spent).toBeLessThanOrEqual(text.length / 64)
  }
})
