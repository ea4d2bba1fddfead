/** Spans of days. The service counts days in UTC, and so does this. */
const dayMs = 86_400_000
const pattern = /^\d{4}-\d{2}-\d{2}$/

export interface DayRange {
  from: string
  to: string
}

/** As it stands in the address: the last so many days, or two days. */
export interface RangeSearch {
  days?: number
  from?: string
  to?: string
}

export const spans = [7, 30, 90, 365] as const
const defaultSpan = 30
/** What the service sums up in one call. */
const longestSpan = 400

const sayDay = (at: number) => new Date(at).toISOString().slice(0, 10)
const isDay = (text: string) =>
  pattern.test(text) && !Number.isNaN(Date.parse(text)) && sayDay(Date.parse(text)) === text

/** Nothing in the address is taken on trust: what is no day, or no span, is left out. */
export function readRange(search: Record<string, unknown>): RangeSearch {
  const { from, to } = search
  if (typeof from === 'string' && typeof to === 'string' && isValid({ from, to })) return { from, to }
  const days = spans.find((span) => String(span) === String(search.days))
  return days === undefined || days === defaultSpan ? {} : { days }
}

const isValid = ({ from, to }: DayRange) =>
  isDay(from) && isDay(to) && from <= to && daysOf({ from, to }).length <= longestSpan

export const spanOf = (search: RangeSearch): number | undefined =>
  search.from === undefined ? (search.days ?? defaultSpan) : undefined

export function rangeOf({ days = defaultSpan, from, to }: RangeSearch, now: Date): DayRange {
  if (from !== undefined && to !== undefined) return { from, to }
  const today = now.getTime()
  return { from: sayDay(today - (days - 1) * dayMs), to: sayDay(today) }
}

export function daysOf({ from, to }: DayRange): string[] {
  const start = Date.parse(from)
  const length = Math.min(longestSpan + 1, Math.round((Date.parse(to) - start) / dayMs) + 1)
  return Array.from({ length: Math.max(0, length) }, (_, day) => sayDay(start + day * dayMs))
}
