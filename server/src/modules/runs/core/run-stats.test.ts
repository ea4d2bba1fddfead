import { describe, expect, it } from 'vitest'
import { bucketGrowth, type HourRow, summarizeRuns } from './run-stats.ts'

const from = new Date('2026-01-01T00:00:00Z')
const bucketOf = (ms: number) => String(Math.floor(Math.log(ms) / Math.log(bucketGrowth)))
const row = (hour: number, more: Partial<HourRow> = {}): HourRow => ({
  hour: new Date(from.getTime() + hour * 3_600_000),
  currency: '',
  cost: '0',
  durations: {},
  durationSums: {},
  succeeded: 0,
  failed: 0,
  cancelled: 0,
  timedOut: 0,
  ...more,
})

describe('statistics of runs', () => {
  it('add up by parts of the period, with those in which nothing ended', () => {
    const rows = [
      row(0, { succeeded: 3, failed: 1, durations: { [bucketOf(1000)]: 3 } }),
      row(5, { currency: 'EUR', succeeded: 1, timedOut: 1, cost: '0.25', durations: { [bucketOf(90_000)]: 1 } }),
      row(6, { currency: 'USD', cancelled: 2, cost: '9' }),
    ]
    const { points, ...all } = summarizeRuns(rows, { from, parts: 4, partHours: 6, currency: 'EUR' })
    expect(all).toMatchObject({ succeeded: 4, failed: 1, timed_out: 1, cancelled: 2, cost: 0.25 })
    expect(all.success_rate).toBeCloseTo(4 / 6)
    expect(points.map(({ at }) => at - from.getTime() / 1000)).toEqual([0, 21_600, 43_200, 64_800])
    expect(points[0]).toMatchObject({ succeeded: 4, cost: 0.25 })
    expect(points[1]).toMatchObject({ cancelled: 2, success_rate: null, cost: null, p50_ms: null })
  })

  it('have the duration that a run itself has, and not that of its bucket', () => {
    const [one, other] = [41_449, 41_460]
    const bucket = bucketOf(one)
    expect(bucketOf(other)).toBe(bucket)
    const period = { from, parts: 2, partHours: 1, currency: '' }
    const rows = [one, other].map((ms, hour) =>
      row(hour, { succeeded: 1, durations: { [bucket]: 1 }, durationSums: { [bucket]: ms } }),
    )
    expect(summarizeRuns(rows, period).points).toMatchObject([{ p50_ms: one }, { p50_ms: other, p95_ms: other }])
    // Hours that were added up before sums were kept.
    const { p50_ms } = summarizeRuns([row(0, { succeeded: 1, durations: { [bucket]: 1 } })], period)
    expect(Math.abs((p50_ms ?? 0) / one - 1)).toBeLessThan(0.051)
  })

  it('have percentiles within five percent of the durations', () => {
    const durations: Record<string, number> = {}
    for (let ms = 1; ms <= 1000; ms++) durations[bucketOf(ms)] = (durations[bucketOf(ms)] ?? 0) + 1
    const all = summarizeRuns([row(0, { succeeded: 1000, durations })], { from, parts: 1, partHours: 1, currency: '' })
    expect(Math.abs((all.p50_ms ?? 0) / 500 - 1)).toBeLessThan(0.051)
    expect(Math.abs((all.p95_ms ?? 0) / 950 - 1)).toBeLessThan(0.051)
  })
})
