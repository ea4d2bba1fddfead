import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addCost, costOf, type Spending } from './cost.ts'

describe('what calls of models cost', () => {
  it.each([
    [{ prompt: 1_000_000, completion: 0 }, { input: 0.15, output: 0.6 }, '0.150000000000'],
    [{ prompt: 3, completion: 0 }, { input: 0.15, output: 0.6 }, '0.000000450000'],
    [{ prompt: 1, completion: 1 }, { input: 0.000001, output: 0.1 }, '0.000000100001'],
    [{ prompt: 12_345, completion: 678 }, { input: 2.5, output: 10 }, '0.037642500000'],
    [{ prompt: 2, completion: 0 }, { input: 1_000_000_000, output: 0 }, '2000.000000000000'],
    [{ prompt: 9, completion: 9 }, { input: 0, output: 0 }, '0.000000000000'],
  ])('is exact: %o at %o', (tokens, price, amount) => expect(costOf(tokens, price)).toBe(amount))

  it('adds up to the same, however the tokens are split among calls', () => {
    const cents = fc.integer({ min: 0, max: 10_000_000_000 }).map((millionths) => millionths / 1_000_000)
    const counts = fc.array(fc.tuple(fc.nat(10_000_000), fc.nat(10_000_000)), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(cents, cents, counts, (input, output, calls) => {
        const spending: Spending = { cost: null, hasUnpriced: false }
        for (const [prompt, completion] of calls) addCost(spending, costOf({ prompt, completion }, { input, output }))
        const whole = { prompt: sum(calls.map(([prompt]) => prompt)), completion: sum(calls.map(([, more]) => more)) }
        expect(spending).toEqual({ cost: costOf(whole, { input, output }), hasUnpriced: false })
      }),
    )
  })

  it('is not nothing where there is no price', () => {
    const spending: Spending = { cost: null, hasUnpriced: false }
    addCost(spending, null)
    expect(spending).toEqual({ cost: null, hasUnpriced: true })
    addCost(spending, '0.000000450000')
    expect(spending).toEqual({ cost: '0.000000450000', hasUnpriced: true })
  })
})

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
