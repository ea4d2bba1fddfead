/** Groups chats by when they were last used. */

interface Dated {
  /** Unix seconds. */
  updated_at: number
}

export interface DayGroup<Item> {
  label: string
  items: Item[]
}

const month = new Intl.DateTimeFormat('en', { month: 'long' })
const monthAndYear = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric' })
const dayMs = 86_400_000

/** Counted in calendar days of the reader: a day with a clock change has 23 or 25 hours, hence the rounding. */
function daysAgo(at: Date, now: Date): number {
  const startOf = (moment: Date) => new Date(moment.getFullYear(), moment.getMonth(), moment.getDate()).getTime()
  return Math.round((startOf(now) - startOf(at)) / dayMs)
}

function labelOf(at: Date, now: Date): string {
  const days = daysAgo(at, now)
  if (days <= 0) return 'Today'
  if (days === 1) return 'Yesterday'
  if (days <= 7) return 'Previous 7 days'
  if (days <= 30) return 'Previous 30 days'
  return at.getFullYear() === now.getFullYear() ? month.format(at) : monthAndYear.format(at)
}

/** `items` are newest first; groups keep that order. */
export function groupByDay<Item extends Dated>(items: readonly Item[], now: Date): DayGroup<Item>[] {
  const groups = Map.groupBy(items, ({ updated_at }) => labelOf(new Date(updated_at * 1000), now))
  return [...groups].map(([label, members]) => ({ label, items: members }))
}
