/** Schedules in words, and common presets. Expressions without a simple description are shown as is. */

export interface Preset {
  cron: string
  label: string
}

export const presets: readonly Preset[] = [
  { cron: '*/15 * * * *', label: 'Every 15 minutes' },
  { cron: '0 * * * *', label: 'Every hour' },
  { cron: '0 8 * * *', label: 'Every day at 08:00' },
  { cron: '0 8 * * 1-5', label: 'Weekdays at 08:00' },
  { cron: '0 8 * * 1', label: 'Mondays at 08:00' },
  { cron: '0 8 1 * *', label: 'On the 1st of each month at 08:00' },
]

const names: Record<string, string> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
}

const days = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays']
const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

const isNumber = (text: string) => /^\d{1,2}$/.test(text)
const ordinal = (day: number) => {
  const last = day % 10
  if (last > 3 || last === 0 || (day > 10 && day < 14)) return `${day}th`
  return `${day}${['st', 'nd', 'rd'][last - 1]}`
}

export function describeCron(cron: string): string {
  const text = cron.trim().toLowerCase()
  const fields = (names[text] ?? text).split(/\s+/)
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = fields
  if (fields.length !== 5) return cron
  const time = formatTime(minute, hour)
  const date = formatDate(day, month, weekday)
  if (time === undefined || date === undefined) return cron
  if (time.isWithinDay) return date === '' ? time.words : `${time.words}, ${date}`
  return `${date === '' ? 'Every day' : capital(date)} ${time.words}`
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

interface TimeWords {
  words: string
  /** Runs more than once a day. */
  isWithinDay: boolean
}

function formatTime(minute: string, hour: string): TimeWords | undefined {
  const step = /^\*\/(\d{1,2})$/
  const minutes = step.exec(minute)?.[1]
  const hours = step.exec(hour)?.[1]
  if (minute === '*' && hour === '*') return { words: 'Every minute', isWithinDay: true }
  if (minutes && hour === '*') return { words: `Every ${minutes} minutes`, isWithinDay: true }
  if (!isNumber(minute)) return undefined
  const past = Number(minute) === 0 ? '' : ` at minute ${Number(minute)}`
  if (hour === '*') return { words: `Every hour${past}`, isWithinDay: true }
  if (hours) return { words: `Every ${hours} hours${past}`, isWithinDay: true }
  const at = hour.split(',')
  if (!at.every(isNumber)) return undefined
  const clock = at.map((one) => `${one.padStart(2, '0')}:${minute.padStart(2, '0')}`)
  return { words: `at ${listed(clock)}`, isWithinDay: false }
}

const listed = (items: readonly string[]) =>
  items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`

/** Empty for every day; undefined if there is no simple description. */
function formatDate(day: string, month: string, weekday: string): string | undefined {
  const ofMonth = formatMonth(month)
  if (ofMonth === undefined) return undefined
  if (day === '*' && weekday === '*') return ofMonth === '' ? '' : `every day in ${ofMonth}`
  // If both are set, cron means either one, which has no short description.
  if (day !== '*' && weekday !== '*') return undefined
  if (day !== '*') {
    if (!isNumber(day)) return undefined
    return `on the ${ordinal(Number(day))} of ${ofMonth === '' ? 'each month' : ofMonth}`
  }
  const on = weekdaysText(weekday)
  return on === undefined || ofMonth === '' ? on : `${on} in ${ofMonth}`
}

function formatMonth(month: string): string | undefined {
  if (month === '*') return ''
  return isNumber(month) ? months[Number(month) - 1] : undefined
}

const dayOf = (text: string) => (isNumber(text) ? Number(text) : dayNames.indexOf(text))

function weekdaysText(weekday: string): string | undefined {
  if (weekday === '1-5' || weekday === 'mon-fri') return 'weekdays'
  const named = weekday.split(',').map((one) => days[dayOf(one)])
  return named.includes(undefined) ? undefined : listed(named.filter((name) => name !== undefined))
}
