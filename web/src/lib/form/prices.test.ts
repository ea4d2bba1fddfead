import { ModelPrices } from '@chancery/contract/models/prices.ts'
import { describe, expect, it } from 'vitest'
import { draftOf, priceDrafts, priceProblems, pricesBody, withPrice } from './prices.ts'

describe('prices as typed', () => {
  it('start with the stored ones, as someone would type them', () => {
    const drafts = priceDrafts({ swift: { input: 0.000_001, output: 12_000 } })
    expect(draftOf(drafts, 'swift')).toEqual({ input: '0.000001', output: '12000' })
    expect(pricesBody(drafts)).toEqual({ swift: { input: 0.000_001, output: 12_000 } })
  })

  it('are sent only for existing models that have one', () => {
    let drafts = withPrice(priceDrafts(), 'swift', { input: ' 0.15 ' })
    drafts = withPrice(drafts, 'swift', { output: '0' })
    drafts = withPrice(drafts, 'wise', { input: '3', output: '15' })
    drafts = withPrice(drafts, 'grand', { input: '1', output: '1' })
    drafts = withPrice(drafts, 'grand', { input: '', output: ' ' })
    expect(pricesBody(drafts)).toEqual({ swift: { input: 0.15, output: 0 }, wise: { input: 3, output: 15 } })
    expect(pricesBody(drafts, ['wise', 'new'])).toEqual({ wise: { input: 3, output: 15 } })
  })

  it('leave validation to the schema', () => {
    const drafts = withPrice(priceDrafts(), 'swift', { input: 'cheap' })
    expect(ModelPrices.safeParse(pricesBody(drafts)).success).toBe(false)
    expect(priceProblems(draftOf(drafts, 'swift'))).toEqual({
      input: 'Enter a number.',
      output: 'Enter a number.',
    })
    expect(priceProblems({ input: '-1', output: '1' })).toEqual({ input: 'Enter 0 or more.' })
    expect(priceProblems({ input: '', output: '' })).toEqual({})
  })
})
