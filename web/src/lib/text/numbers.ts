/** Formats counts. */

const whole = new Intl.NumberFormat('en')
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** `12,345`. */
export const formatNumber = (value: number): string => whole.format(value)
/** `12.3K`. */
export const formatShort = (value: number): string => short.format(value)
