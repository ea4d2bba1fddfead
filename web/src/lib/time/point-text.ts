/** The times of plots. */
import { dateLocale } from './date-locale.ts'

const hour = new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' })
const day = new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'short' })
const clock = new Intl.DateTimeFormat(dateLocale, { hour: 'numeric', minute: '2-digit' })

/** When a part of the period begins; whole days only by their date. */
export const pointText = (at: number, period: string): string =>
  (period === 'month' ? day : hour).format(new Date(at * 1000))

export const hourText = (at: number): string => hour.format(new Date(at * 1000))
export const clockText = (at: number): string => clock.format(new Date(at * 1000))
export const dayText = (at: number): string => day.format(new Date(at * 1000))
