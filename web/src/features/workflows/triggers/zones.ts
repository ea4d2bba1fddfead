/** The list of time zones: the browser's own first, then by name. */
import { dateLocale } from '#lib/time/date-locale.ts'

export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'

/** Such as `UTC+2`, at that time of year. */
export function offsetOf(timeZone: string, at: Date): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' }).formatToParts(at)
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
  return offset.replace('GMT', 'UTC').replace('-', '−')
}

/** Not all browsers list UTC. */
export const allZones = (): string[] => [...new Set([ownZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])]

const most = 50

/** Zones whose name contains every typed word; spaces match underscores. */
export function findZones(zones: readonly string[], typed: string): string[] {
  const words = typed
    .toLowerCase()
    .replaceAll('_', ' ')
    .split(/[\s/]+/)
    .filter(Boolean)
  return zones
    .filter((zone) => {
      const name = zone.toLowerCase().replaceAll('_', ' ')
      return words.every((word) => name.includes(word))
    })
    .slice(0, most)
}

/** A time as shown on a clock in that zone. */
export const formatInZone = (seconds: number, timeZone: string): string =>
  new Intl.DateTimeFormat(dateLocale, {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(seconds * 1000)
