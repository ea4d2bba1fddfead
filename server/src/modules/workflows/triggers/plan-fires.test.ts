/** When cron triggers are due: time zones, clock changes, and times that passed while nothing ran. */
import { describe, expect, it } from 'vitest'
import { type Plan, planFires } from './plan-fires.ts'
import { checkTimetable, nextTimes } from './timetable.ts'

const at = (text: string) => new Date(`${text}Z`)
const iso = (times: readonly Date[]) => times.map((time) => time.toISOString().slice(0, 16))

/** All due times from one moment to another as somebody sees them who looks at every second. */
const walk = (cron: string, timezone: string, from: Date, to: Date): string[] => {
  const fired: Date[] = []
  let next: Date | null = nextTimes({ cron, timezone }, from, 1)[0] ?? null
  for (let now = from; now <= to; now = new Date(now.getTime() + 1000)) {
    if (next === null || next > now) continue
    const plan: Plan = planFires({ cron, timezone, misfire: 'fire_once', nextAt: next }, now)
    fired.push(...plan.fires)
    next = plan.nextAt
  }
  return iso(fired)
}

describe('a due time', () => {
  it('is that of the time zone, summer and winter', () => {
    const berlin = { cron: '0 9 * * *', timezone: 'Europe/Berlin' }
    expect(iso(nextTimes(berlin, at('2026-01-10T00:00'), 1))).toEqual(['2026-01-10T08:00'])
    expect(iso(nextTimes(berlin, at('2026-07-10T00:00'), 1))).toEqual(['2026-07-10T07:00'])
  })

  it('of a fixed time comes once on the day an hour is missing, and once on the day an hour is repeated (A47)', () => {
    const spring = walk('30 2 * * *', 'Europe/Berlin', at('2026-03-28T22:00'), at('2026-03-29T22:00'))
    expect(spring).toEqual(['2026-03-29T01:00'])
    const autumn = walk('30 2 * * *', 'Europe/Berlin', at('2026-10-24T22:00'), at('2026-10-25T22:00'))
    expect(autumn).toEqual(['2026-10-25T00:30'])
  })

  it('of what repeats goes on in real time through both changes (A47)', () => {
    for (const day of ['2026-03-29', '2026-10-25'])
      expect(walk('*/30 * * * *', 'Europe/Berlin', at(`${day}T00:00`), at(`${day}T03:00`))).toEqual(
        ['00:30', '01:00', '01:30', '02:00', '02:30', '03:00'].map((time) => `${day}T${time}`),
      )
  })

  it.each([
    ['61 * * * *', 'UTC', 'cron'],
    ['* * * *', 'UTC', 'cron'],
    ['* * * * * *', 'UTC', 'cron'],
    ['hello', 'UTC', 'cron'],
    ['2027-01-01T00:00:00', 'UTC', 'cron'],
    ['@reboot', 'UTC', 'cron'],
    ['0 0 30 2 *', 'UTC', 'cron'],
    ['* * * * *', 'Mars/Olympus', 'timezone'],
  ])('cannot be %s in %s', (cron, timezone, field) => {
    expect(() => checkTimetable({ cron, timezone }, at('2026-01-01T00:00'))).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        problems: [expect.objectContaining({ loc: ['body', field] })],
      }),
    )
  })

  it.each(['* * * * *', '@daily', '0 6 * * 1-5', '*/15 9-17 * * MON-FRI', '0 0 L * *', '0 12 1 * +MON'])(
    'may be %s',
    (cron) => expect(() => checkTimetable({ cron, timezone: 'Asia/Tokyo' }, at('2026-01-01T00:00'))).not.toThrow(),
  )
})

describe('times that passed while nothing ran', () => {
  const late = (misfire: 'fire_once' | 'skip' | 'fire_all', now: string, cron = '*/10 * * * *') =>
    planFires({ cron, timezone: 'UTC', misfire, nextAt: at('2026-01-01T00:10') }, at(now))

  it('start one run for all, none, or one each; then the timetable goes on', () => {
    const plans = (['fire_once', 'skip', 'fire_all'] as const).map((misfire) => late(misfire, '2026-01-01T01:05'))
    expect(plans.map(({ fires }) => iso(fires))).toEqual([
      ['2026-01-01T01:00'],
      [],
      ['00:10', '00:20', '00:30', '00:40', '00:50', '01:00'].map((time) => `2026-01-01T${time}`),
    ])
    for (const { nextAt } of plans) expect(nextAt).toEqual(at('2026-01-01T01:10'))
  })

  it('are not taken for the one that is due right now', () => {
    expect(iso(late('skip', '2026-01-01T01:00:30').fires)).toEqual(['2026-01-01T01:00'])
    expect(iso(late('fire_once', '2026-01-01T01:00:30').fires)).toEqual(['2026-01-01T01:00'])
  })

  it('are made up for at most a hundred times, however long it was', () => {
    const { fires, nextAt } = late('fire_all', '2027-01-01T00:05')
    expect(fires).toHaveLength(100)
    expect(iso(fires.slice(-1))).toEqual(['2027-01-01T00:00'])
    expect(iso(fires.slice(0, 1))).toEqual(['2026-12-31T07:30'])
    expect(nextAt).toEqual(at('2027-01-01T00:10'))
    expect(iso(late('fire_once', '2027-01-01T00:05').fires)).toEqual(['2027-01-01T00:00'])
  })

  it('end where the timetable ends', () => {
    expect(late('fire_once', '2026-01-01T00:10', '10 0 1 1 *').nextAt).toEqual(at('2027-01-01T00:10'))
  })
})
