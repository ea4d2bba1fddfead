/** Figures of the status page as text; a dash where there is nothing. */
import { formatDuration } from '#lib/time/durations.ts'

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })

/** Never rounded down to nothing: 0 % means that nothing failed. */
export function shareText(part: number, all: number): string {
  if (all === 0) return '–'
  const share = part / all
  return share > 0 && share < 0.001 ? `< ${percent.format(0.001)}` : percent.format(share)
}

export const orDash = (format: (value: number) => string) => (value: number | null) =>
  value === null ? '–' : format(value)

export const secondsText = (seconds: number): string => formatDuration(seconds * 1000)

/** `document_mails` → `Document mails`. */
export const quotaText = (name: string): string => (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll('_', ' ')

/** The sum over time, undefined where nothing was ever known. */
export function totalOf<Point>(points: readonly Point[], of: (point: Point) => number | null): number | undefined {
  const known = points.flatMap((point) => of(point) ?? [])
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0)
}
