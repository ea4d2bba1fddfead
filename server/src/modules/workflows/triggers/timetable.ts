/**
 * When a cron trigger is due: five fields (minute, hour, day, month, weekday) or a name such as @daily, in a time zone.
 *
 * When clocks change it behaves as Vixie cron: a fixed time of day that is skipped comes right after the gap, and one that
 * occurs twice comes the first time only. Schedules that repeat within the day (a step, a list, a star) continue in real
 * time, through both passes of the repeated hour, and leave out the hour that doesn't exist.
 */
import { Cron } from 'croner'
import { AppError } from '#kernel/errors.ts'

export interface Timetable {
  cron: string
  timezone: string
}

/** Throws the library's error. The library also accepts a date, which is not a schedule. */
const parse = ({ cron, timezone }: Timetable): Cron => {
  if (cron.includes(':')) throw new Error('Use five fields, or a name such as @daily.')
  return new Cron(cron, { timezone, mode: '5-part', paused: true })
}

/** The next due times, nearest first. Empty when it is never due, or can't be read any more. */
export const nextTimes = (timetable: Timetable, after: Date, count: number): Date[] => {
  try {
    return parse(timetable).nextRuns(count, after)
  } catch {
    return []
  }
}

export const nextTime = (timetable: Timetable, after: Date): Date | null => parse(timetable).nextRun(after)

interface Span {
  /** Itself a due time. */
  from: Date
  to: Date
  max: number
}

/** The due times within the span, both ends included, earliest first. Of more than `max`, the last ones. */
export const timesWithin = (timetable: Timetable, { from, to, max }: Span): Date[] => {
  const pattern = parse(timetable)
  const times = [from]
  for (let next = pattern.nextRun(from); next !== null && next <= to; next = pattern.nextRun(next)) {
    times.push(next)
    // Too many to step through: the last ones are calculated backwards, which works in whole seconds.
    if (times.length > max)
      return pattern.previousRuns(max, new Date(Math.floor(to.getTime() / 1000) * 1000 + 1000)).reverse()
  }
  return times
}

/** Refuses a schedule that can't be read or is never due. */
export const checkTimetable = (timetable: Timetable, now: Date): void => {
  if (!isZone(timetable.timezone)) throw invalid('timezone', 'Use a time zone such as Europe/Berlin.')
  let next: Date | null
  try {
    next = nextTime(timetable, now)
  } catch (problem) {
    throw invalid('cron', (problem as Error).message.replace(/^CronPattern: /, ''))
  }
  if (next === null) throw invalid('cron', 'This schedule is never due.')
}

const isZone = (timeZone: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}

const invalid = (field: string, msg: string): AppError =>
  new AppError('validation_failed', { problems: [{ loc: ['body', field], msg, type: 'timetable' }] })
