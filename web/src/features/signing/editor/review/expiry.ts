/** Pure. An expiry is a moment for the server and a day for people: the whole day still counts, where the sender is. */

export const endOfDay = (day: string): string => new Date(`${day}T23:59:59`).toISOString()

export function dayOf(at: string | null): string {
  if (at === null) return ''
  const day = new Date(at)
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}
