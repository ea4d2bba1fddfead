import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { createLog } from '#kernel/log.ts'
import { createMetrics } from '#kernel/metrics/index.ts'
import { testApp } from '#test/harness/app.ts'
import { countsIn, growthOf, topGrowth } from './measures.ts'
import { presentQueues } from './present.ts'
import { quantileOf } from './quantile.ts'
import { findLatestUnscoped, listPeriodsUnscoped } from './queries.ts'
import { rollUp } from './roll-up.ts'
import { periodsOf } from './spans.ts'
import { createSampling } from './take-samples.ts'

describe('what a sample is made of', () => {
  it('is the growth of counts, which begin anew with a process', () => {
    expect(growthOf({ requests: 12, cost: 3 }, { requests: 10 })).toEqual({ requests: 2, cost: 3 })
    expect(growthOf({ requests: 4 }, { requests: 10 })).toEqual({ requests: 4 })
    expect(growthOf({ requests: 4 }, { requests: 4 })).toEqual({ requests: 0 })
  })

  it('adds the series of a metric up, and says apart what failed', async () => {
    const metrics = createMetrics(createLog('silent'))
    const requests = metrics.counter({ name: 'chancery_http_requests_total', help: 'R.', labels: ['area', 'status'] })
    for (const [area, status] of [
      ['chat', 200],
      ['chat', 503],
      ['auth', 404],
      ['auth', 200],
    ] as const)
      requests.of(area, status).add()
    const counts = countsIn(await metrics.read(['chancery_http_requests_total', 'no_such_metric']))
    expect(counts).toEqual({ requests: 4, 'requests.refused': 1, 'requests.failed': 1 })
  })

  it('has of those whom a quota refused only the twenty that were refused most', () => {
    const all = Object.fromEntries(Array.from({ length: 50 }, (_, times) => [`refused calls ${times}`, times]))
    const top = topGrowth(all)
    expect(Object.keys(top)).toHaveLength(20)
    expect(top).toMatchObject({ 'refused calls 49': 49, 'refused calls 30': 30 })
  })
})

describe('an estimate from a histogram', () => {
  const histogram = { 'latency 0.1': 50, 'latency 0.5': 90, 'latency +Inf': 100, requests: 100 }
  it('lies in the bucket of the wanted share, and at the highest bound above all', () => {
    expect(quantileOf(histogram, 'latency', 0.5)).toBeCloseTo(0.1)
    expect(quantileOf(histogram, 'latency', 0.7)).toBeCloseTo(0.3)
    expect(quantileOf(histogram, 'latency', 0.99)).toBe(0.5)
    expect(quantileOf({ 'latency 0.1': 0, 'latency +Inf': 0 }, 'latency', 0.5)).toBeNull()
    expect(quantileOf({}, 'latency', 0.5)).toBeNull()
  })
})

describe('the time that is shown', () => {
  it('is a day of ten minutes or a month of six hours, and ends with the current period', () => {
    const now = new Date('2026-11-19T20:07:31Z')
    const [day, month] = [periodsOf('day', now), periodsOf('month', now)]
    expect([day.length, day[0], day.at(-1)]).toEqual([
      144,
      new Date('2026-11-18T20:10:00Z'),
      new Date('2026-11-19T20:00:00Z'),
    ])
    expect([month.length, month.at(-1)]).toEqual([120, new Date('2026-11-19T18:00:00Z')])
  })

  it('has the longest waits first', () => {
    expect(presentQueues({ 'queue a': 1, 'queue b': 5, 'age.runs': 9 }).map(({ job }) => job)).toEqual(['b', 'a'])
  })
})

describe('GET /api/admin/status', async () => {
  const app = await testApp()
  afterAll(app.stop)
  const path = '/api/admin/status'
  /** Six hours of the future, in which the app itself has counted nothing; the test counts in the last ten minutes of them. */
  const lengthMs = 6 * 3_600_000
  const beginMs = (Math.floor(app.clock.now().getTime() / lengthMs) + 1) * lengthMs
  const countedMs = beginMs + lengthMs - 600_000
  const after = (minutes: number, seconds = 0) => new Date(countedMs + minutes * 60_000 + seconds * 1000)

  /** A process of its own that counts requests and refuses a tenant. */
  const node = (nodeId: string, refusedId: string) => {
    const metrics = createMetrics(createLog('silent'))
    const requests = metrics.counter({ name: 'chancery_http_requests_total', help: 'R.', labels: ['status'] })
    metrics.gauge({ name: 'chancery_event_lag_seconds', help: 'L.', read: () => 7 })
    let times = 0
    let now = after(0, 30)
    const sample = createSampling({
      clock: { now: () => now },
      db: app.db,
      metrics,
      nodes: { id: nodeId },
      quotas: { refused: () => (times === 0 ? [] : [{ quota: 'calls', id: refusedId, times }]) },
    })
    return {
      count: (status: number, add: number) => requests.of(status).add(add),
      refuse: () => {
        times += 1
      },
      sampleAt: (time: Date) => {
        now = time
        return sample()
      },
    }
  }

  it('is for the platform admin alone, and says that nothing was sampled yet', async () => {
    const [ana, boss, owner] = [await app.user(), await app.user({ org: 'Aldgate' }), await app.platformOwner()]
    expect((await app.anonymous.get(path)).status).toBe(401)
    for (const person of [ana, boss]) expect((await person.get(path)).status).toBe(403)
    expect((await owner.get(`${path}?span=year`)).status).toBe(422)
    await sql`delete from status_samples`.execute(app.db)
    const { body } = await owner.get(path)
    expect(body).toMatchObject({ sampled_at: null, step_sec: 600, connections: [], at_limit: [] })
    expect(body.points).toHaveLength(144)
    expect(body.points[0]).toMatchObject({ minutes: 0, requests: null, p95_ms: null })
  })

  it('adds processes and minutes up to ten minutes and hours, whenever the job runs', async () => {
    const owner = await app.platformOwner()
    const boss = await app.user({ org: 'Aldgate' })
    const [one, two] = [node(app.unknownId(), boss.organizationId ?? ''), node(app.unknownId(), boss.id)]
    one.count(200, 5)
    await one.sampleAt(after(1, 2))
    one.count(503, 2)
    one.refuse()
    two.count(200, 10)
    two.refuse()
    two.refuse()
    await Promise.all([one.sampleAt(after(2, 2)), two.sampleAt(after(2, 3))])
    // Within the minute there is nothing to write.
    await one.sampleAt(after(2, 40))
    app.clock.forward({ ms: after(20).getTime() - app.clock.now().getTime() })

    const expected = { minutes: 2, requests: 17, failed: 2, refused: 0, oldest_event_sec: 7, quota_refusals: 0 }
    const readDay = async () => {
      const { body } = await owner.get(path)
      return { ...body, point: body.points.find(({ at }: { at: number }) => at === countedMs / 1000) }
    }
    const readMonth = async () => {
      const { body } = await owner.get(`${path}?span=month`)
      return body.points.find(({ at }: { at: number }) => at === beginMs / 1000)
    }
    const fresh = await readDay()
    expect(fresh.point).toMatchObject(expected)
    expect(fresh.at_limit).toEqual([
      { kind: 'user', id: boss.id, name: boss.name, quota: 'calls', times: 2 },
      { kind: 'organization', id: boss.organizationId, name: expect.any(String), quota: 'calls', times: 1 },
    ])

    await rollUp({ clock: app.clock, db: app.db })
    await rollUp({ clock: app.clock, db: app.db })
    expect((await readDay()).point).toEqual(fresh.point)
    expect(await readMonth()).toMatchObject(expected)

    // Hours later the minutes are gone, and everything is still there; a day later the hours are.
    app.clock.forward({ minutes: 300 })
    await rollUp({ clock: app.clock, db: app.db })
    const kept = () =>
      sql<{
        step: number
      }>`select step_sec as step from status_samples where at between ${new Date(beginMs)} and ${after(9)}
        order by step_sec`
        .execute(app.db)
        .then(({ rows }) => rows.map(({ step }) => step))
    expect(await kept()).toEqual([600, 3600])
    expect((await readDay()).point).toEqual(fresh.point)
    app.clock.forward({ days: 2 })
    await rollUp({ clock: app.clock, db: app.db })
    expect(await kept()).toEqual([3600])
    expect(await readMonth()).toMatchObject(expected)
    app.clock.forward({ days: 40 })
    await rollUp({ clock: app.clock, db: app.db })
    expect(await kept()).toEqual([])
  })

  it('goes on once a clock that was ahead is right again', async () => {
    const hourMs = 3_600_000
    const rightMs = (Math.floor(app.clock.now().getTime() / hourMs) + 1) * hourMs
    const [minute, from, aheadMs] = [62_000, new Date(rightMs), 400 * 24 * hourMs]
    const one = node(app.unknownId(), app.unknownId())
    const rollUpAt = (ms: number) => rollUp({ clock: { now: () => new Date(rightMs + ms) }, db: app.db })
    const readAt = async (ms: number) => {
      const now = new Date(rightMs + ms)
      const periods = await listPeriodsUnscoped(app.db, { from, now, source: 600, stepSec: 600 })
      return { latest: await findLatestUnscoped(app.db, now), requests: periods.map(({ counts }) => counts.requests) }
    }
    await one.sampleAt(new Date(rightMs + aheadMs + minute))
    await rollUpAt(aheadMs + 2 * hourMs)
    one.count(200, 3)
    await one.sampleAt(new Date(rightMs + minute))
    expect(await readAt(600_000)).toEqual({ latest: from, requests: [3] })
    await rollUpAt(hourMs)
    await rollUpAt(5 * hourMs)
    expect(await readAt(5 * hourMs)).toEqual({ latest: undefined, requests: [3] })
  })
})
