/** Date ranges. The server counts days in UTC, and so does this. */
const dayMs = 86_400_000
const pattern = /^\d{4}-\d{2}-\d{2}$/

export interface DayRange {
  from: string
  to: string
}

/** As in the URL: the last n days, or two dates. */
export interface RangeSearch {
  days?: number
  from?: string
  to?: string
}

export const spans = [7, 30, 90, 365] as const
const defaultSpan = 30
/** The longest range the server sums up in one call. */
const longestSpan = 400

const formatDay = (at: number) => new Date(at).toISOString().slice(0, 10)
const isDay = (text: string) =>
  pattern.test(text) && !Number.isNaN(Date.parse(text)) && formatDay(Date.parse(text)) === text

/** Values from the URL are checked; invalid dates and ranges are ignored. */
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
  return { from: formatDay(today - (days - 1) * dayMs), to: formatDay(today) }
}

export function daysOf({ from, to }: DayRange): string[] {
  const start = Date.parse(from)
  const length = Math.min(longestSpan + 1, Math.round((Date.parse(to) - start) / dayMs) + 1)
  return Array.from({ length: Math.max(0, length) }, (_, day) => formatDay(start + day * dayMs))
}
