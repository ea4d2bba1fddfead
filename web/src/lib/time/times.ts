/** Relative times. The exact time is shown on hover. */
import { dateLocale } from './date-locale.ts'

const steps: [limitSec: number, unit: Intl.RelativeTimeFormatUnit, unitSec: number][] = [
  [60, 'second', 1],
  [3600, 'minute', 60],
  [86_400, 'hour', 3600],
  [31 * 86_400, 'day', 86_400],
  [365 * 86_400, 'month', 30 * 86_400],
  [Number.POSITIVE_INFINITY, 'year', 365 * 86_400],
]
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const exact = new Intl.DateTimeFormat(dateLocale, { dateStyle: 'full', timeStyle: 'long' })
const day = new Intl.DateTimeFormat(dateLocale, { dateStyle: 'long' })

/** A time ahead is rounded, so that 30 days still are 30 a minute later; a time past counts only what has passed. */
export function formatRelative(at: Date, now: Date): string {
  const seconds = Math.round((at.getTime() - now.getTime()) / 1000)
  if (Math.abs(seconds) < 45) return seconds > 0 ? 'in a moment' : 'just now'
  const [, unit, unitSec] = steps.find(([limitSec]) => Math.abs(seconds) < limitSec) ?? ['', 'year', 365 * 86_400]
  const count = seconds > 0 ? Math.round(seconds / unitSec) : Math.trunc(seconds / unitSec)
  return relative.format(count, unit as Intl.RelativeTimeFormatUnit)
}

export const formatExact = (at: Date): string => exact.format(at)
export const formatDay = (at: Date): string => day.format(at)

export function greetingAt(now: Date): string {
  const hour = now.getHours()
  if (hour >= 5 && hour < 12) return 'Good morning'
  return hour >= 12 && hour < 18 ? 'Good afternoon' : 'Good evening'
}
