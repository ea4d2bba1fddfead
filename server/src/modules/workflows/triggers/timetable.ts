/**
 * When a cron trigger is due: five fields (minute, hour, day, month, weekday) or a name such as @daily, in a time zone.
 *
 * When clocks change, as Vixie cron has it: a fixed time of day that is skipped comes at the first moment after the gap,
 * and one that occurs twice comes the first time only; what repeats within the day (a step, a list, a star) goes on in
 * real time, through both passes of the repeated hour, and leaves out the hour that does not exist.
 */
import { Cron } from 'croner'
import { AppError } from '#kernel/errors.ts'

export interface Timetable {
  cron: string
  timezone: string
}

/** Throws what is wrong with it, in the library's words. A date is one of its patterns too, but no timetable. */
const read = ({ cron, timezone }: Timetable): Cron => {
  if (cron.includes(':')) throw new Error('five fields, or a name such as @daily')
  return new Cron(cron, { timezone, mode: '5-part', paused: true })
}

/** The due times after this moment, the nearest first. None where it never comes, or cannot be read any more. */
export const nextTimes = (timetable: Timetable, after: Date, count: number): Date[] => {
  try {
    return read(timetable).nextRuns(count, after)
  } catch {
    return []
  }
}

export const nextTime = (timetable: Timetable, after: Date): Date | null => read(timetable).nextRun(after)

interface Span {
  /** A due time itself. */
  from: Date
  to: Date
  most: number
}

/** The due times within the span, both ends included, the earliest first; of more than `most` the last ones. */
export const timesWithin = (timetable: Timetable, { from, to, most }: Span): Date[] => {
  const pattern = read(timetable)
  const times = [from]
  for (let next = pattern.nextRun(from); next !== null && next <= to; next = pattern.nextRun(next)) {
    times.push(next)
    // Too many to walk through: the last ones are looked up from the other end, which knows whole seconds only.
    if (times.length > most)
      return pattern.previousRuns(most, new Date(Math.floor(to.getTime() / 1000) * 1000 + 1000)).reverse()
  }
  return times
}

/** Refuses what cannot be read or never comes, by field. */
export const checkTimetable = (timetable: Timetable, now: Date): void => {
  if (!isZone(timetable.timezone)) throw invalid('timezone', 'a time zone such as Europe/Berlin')
  let next: Date | null
  try {
    next = nextTime(timetable, now)
  } catch (problem) {
    throw invalid('cron', (problem as Error).message.replace(/^CronPattern: /, ''))
  }
  if (next === null) throw invalid('cron', 'this time never comes')
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
