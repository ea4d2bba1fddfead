/** Pure. UTC days and months, the same on every node and for every user. */

const dayMs = 86_400_000

let cached = { number: Number.NaN, name: '' }

/** Such as 2026-01-31. The last result is cached: every model call asks for today. */
export const dayOf = (time: Date): string => {
  const number = Math.floor(time.getTime() / dayMs)
  if (number !== cached.number) cached = { number, name: time.toISOString().slice(0, 10) }
  return cached.name
}

export const addDays = (day: string, count: number): string => dayOf(new Date(Date.parse(day) + count * dayMs))

export const monthStart = (day: string): string => `${day.slice(0, 8)}01`

export const nextMonthStart = (day: string): string => monthStart(addDays(monthStart(day), 31))

/** All days from the first to the last, both included. */
export const daysBetween = (from: string, to: string): string[] => {
  const count = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  return Array.from({ length: count }, (_, index) => addDays(from, index))
}

export const secondsUntil = (day: string, now: Date): number => Math.ceil((Date.parse(day) - now.getTime()) / 1000)
