import { describe, expect, it } from 'vitest'
import { filterOf, isNarrowed, queryOf, searchOf } from './run-filter.ts'

describe('the filter of runs', () => {
  it('is the same after the URL, without what is not known', () => {
    const search = { status: 'failed,odd,timed_out', trigger: 'cron,constructor', from: '2026-01-02T03:04' }
    const filter = filterOf(search)
    expect(filter).toMatchObject({ statuses: ['failed', 'timed_out'], triggers: ['cron'] })
    expect(searchOf(filter)).toEqual({ status: 'failed,timed_out', trigger: 'cron', from: '2026-01-02T03:04' })
    expect(isNarrowed(filter)).toBe(true)
    expect(isNarrowed(filterOf({}))).toBe(false)
  })

  it('has times in seconds for the API, and leaves out what is none', () => {
    const from = new Date('2026-01-02T03:04').getTime() / 1000
    expect(queryOf(filterOf({ from: '2026-01-02T03:04', to: 'soon' }))).toEqual({
      status: undefined,
      trigger: undefined,
      from,
      to: undefined,
    })
  })
})
