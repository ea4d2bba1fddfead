/** Figures of statistics as text; a dash where there is nothing. */
import { formatAmount } from '#lib/text/amounts.ts'
import { formatDuration } from '#lib/time/durations.ts'

/** Rounded down: 100 % means that nothing failed. */
export const rateText = (rate: number | null): string =>
  rate === null ? '–' : `${(Math.floor(rate * 1000) / 10).toLocaleString('en')} %`

export const durationText = (ms: number | null): string => (ms === null ? '–' : formatDuration(ms))

export const costText = (cost: number | null, currency: string): string =>
  cost === null ? '–' : formatAmount(cost, currency)
