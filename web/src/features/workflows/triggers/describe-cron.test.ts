import { describe, expect, it } from 'vitest'
import { describeCron, presets } from './describe-cron.ts'

describe('a schedule in words', () => {
  it.each([
    ['* * * * *', 'Every minute'],
    ['*/15 * * * *', 'Every 15 minutes'],
    ['30 * * * *', 'Every hour at minute 30'],
    ['0 */6 * * *', 'Every 6 hours'],
    ['0 8 * * *', 'Every day at 08:00'],
    ['5 8,17 * * *', 'Every day at 08:05 and 17:05'],
    ['0 8 * * 1-5', 'Weekdays at 08:00'],
    ['0 8 * * MON', 'Mondays at 08:00'],
    ['0 8 * * 1,3,7', 'Mondays, Wednesdays and Sundays at 08:00'],
    ['0 8 1 * *', 'On the 1st of each month at 08:00'],
    ['0 8 22 3 *', 'On the 22nd of March at 08:00'],
    ['0 8 * 12 *', 'Every day in December at 08:00'],
    ['*/5 * * * 1-5', 'Every 5 minutes, weekdays'],
    ['@weekly', 'Sundays at 00:00'],
  ])('reads %s as “%s”', (cron, words) => {
    expect(describeCron(cron)).toBe(words)
  })

  it('shows an expression as is if there are no simple words for it', () => {
    for (const cron of ['0 8 1 * 1', '0-10 8 * * *', '0 8 L * *', 'nonsense', '0 8 * 13 *', '0 8 * * 9'])
      expect(describeCron(cron)).toBe(cron)
  })

  it('describes each preset like its label', () => {
    for (const { cron, label } of presets) expect(describeCron(cron)).toBe(label)
  })
})
