import { expect, it } from 'vitest'
import { orDash, quotaText, secondsText, shareText, totalOf } from './status-labels.ts'

it('never rounds a failure away, and shows a dash where there is nothing', () => {
  expect([shareText(0, 10), shareText(1, 100_000), shareText(1, 8), shareText(0, 0)]).toEqual([
    '0%',
    '< 0.1%',
    '12.5%',
    '–',
  ])
  expect([orDash(secondsText)(null), orDash(secondsText)(90), quotaText('document_mails')]).toEqual([
    '–',
    '1 min 30 s',
    'Document mails',
  ])
})

it('adds up what is known', () => {
  expect(totalOf([{ n: 1 }, { n: null }, { n: 2 }], ({ n }) => n)).toBe(3)
  expect(totalOf([{ n: null }], ({ n }) => n)).toBeUndefined()
})
