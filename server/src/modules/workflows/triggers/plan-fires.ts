/** Which due times of a cron trigger start a run now, and when it is due next. Pure. */
import type { CronTriggersTable } from '../tables.ts'
import { nextTime, timesWithin } from './timetable.ts'

type Due = Pick<CronTriggersTable, 'cron' | 'timezone' | 'misfire'> & { nextAt: Date }

export interface Plan {
  fires: Date[]
  nextAt: Date | null
}

/** A time that passed longer ago than this counts as missed: no server was running, or the clock jumped. */
const graceMs = 60_000
/** At most this many missed times are made up, the latest ones. */
const maxFires = 100

export const planFires = (due: Due, now: Date): Plan => {
  const times = timesWithin(due, { from: due.nextAt, to: now, max: maxFires })
  return { fires: chooseFires(due.misfire, times, now), nextAt: nextTime(due, times.at(-1) ?? now) }
}

const chooseFires = (misfire: Due['misfire'], times: readonly Date[], now: Date): Date[] => {
  const timely = times.filter((time) => now.getTime() - time.getTime() <= graceMs)
  if (timely.length === times.length || misfire === 'skip') return timely
  return misfire === 'fire_once' ? times.slice(-1) : times.slice(-maxFires)
}
