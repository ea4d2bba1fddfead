import { expect, it } from 'vitest'
import { happenings, yesterday } from './since-yesterday.ts'

it('begins with the day before, where the reader is', () => {
  expect(yesterday(new Date(2026, 2, 1, 0, 30))).toEqual(new Date(2026, 1, 28))
})

it('counts runs without those that another run started, and documents by what became of them since', () => {
  const run = (status: 'succeeded' | 'failed' | 'timed_out', parent_run_id: string | null = null) => ({
    status,
    parent_run_id,
  })
  const document = (state: string, sentAt: string | null, endedAt: string | null = null) => ({ state, sentAt, endedAt })
  const [before, after] = ['2026-11-14T23:00:00Z', '2026-11-15T09:00:00Z']
  const lines = happenings(
    [run('succeeded'), run('failed'), run('timed_out'), run('succeeded', 'other')],
    [document('COMPLETED', before, after), document('DECLINED', before, before), document('SENT', after)],
    new Date('2026-11-15T00:00:00Z'),
  )
  expect(lines.map(({ text }) => text)).toEqual([
    '1 run succeeded',
    '2 runs failed',
    '1 document sent for signature',
    '1 document completed',
  ])
  expect(lines.filter(({ isBad }) => isBad).map(({ text }) => text)).toEqual(['2 runs failed'])
})
