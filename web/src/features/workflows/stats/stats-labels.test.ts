import { describe, expect, it } from 'vitest'
import { costText, durationText, rateText } from './stats-labels.ts'

describe('figures of statistics', () => {
  it('never round a failure away, and are a dash where there is nothing', () => {
    expect([null, 0, 2 / 3, 0.9999, 1].map(rateText)).toEqual(['–', '0 %', '66.6 %', '99.9 %', '100 %'])
    expect([durationText(null), durationText(1200), costText(null, 'EUR'), costText(2, 'EUR')]).toEqual([
      '–',
      '1.2 s',
      '–',
      '€2.00',
    ])
  })
})
