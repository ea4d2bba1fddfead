import { expect, it } from 'vitest'
import { happenings, loadedDocuments, loadedRuns, yesterday } from './since-yesterday.ts'

it('begins with the day before, where the reader is', () => {
  expect(yesterday(new Date(2026, 2, 1, 0, 30))).toEqual(new Date(2026, 1, 28))
})

const since = new Date('2026-11-15T00:00:00Z')
const [before, after] = ['2026-11-14T23:00:00Z', '2026-11-15T09:00:00Z']
const run = (status: 'succeeded' | 'failed' | 'timed_out', parent_run_id: string | null = null) => ({
  status,
  parent_run_id,
})
const document = (state: string, sentAt: string | null, endedAt: string | null = null) => ({
  state,
  sentAt,
  endedAt,
  updatedAt: endedAt ?? sentAt ?? before,
})

it('counts runs without those that another run started, and documents by what became of them since', () => {
  const data = [run('succeeded'), run('failed'), run('timed_out'), run('succeeded', 'other')]
  const runs = loadedRuns({ data, next_cursor: null })
  const changed = [document('COMPLETED', before, after), document('SENT', after), document('DECLINED', before, before)]
  // There are more, but the last one is from before: nothing since is missing.
  const documents = loadedDocuments({ data: changed, next_cursor: 'next' }, since)
  const lines = happenings({ runs, failedRuns: runs, documents, declined: documents, expired: documents }, since)
  expect(lines.map(({ text }) => text)).toEqual([
    '1 run succeeded',
    '2 runs failed',
    '1 document sent for signature',
    '1 document completed',
  ])
  expect(lines.filter(({ isBad }) => isBad).map(({ text }) => text)).toEqual(['2 runs failed'])
})

it('says where there are more than were loaded, and counts what went wrong on its own', () => {
  const lines = happenings(
    {
      runs: loadedRuns({ data: [run('succeeded'), run('succeeded')], next_cursor: 'next' }),
      failedRuns: loadedRuns({ data: [run('failed')], next_cursor: null }),
      documents: loadedDocuments({ data: [document('COMPLETED', before, after)], next_cursor: 'next' }, since),
      declined: loadedDocuments({ data: [document('DECLINED', before, after)], next_cursor: null }, since),
      expired: loadedDocuments({ data: [], next_cursor: null }, since),
    },
    since,
  )
  expect(lines.map(({ text }) => text)).toEqual([
    'At least 2 runs succeeded',
    '1 run failed',
    'At least 1 document completed',
    '1 document declined',
  ])
})
