/** Formats amounts of money, including small ones: a model call often costs far less than a cent. */

const digitsOf = (amount: number): Intl.NumberFormatOptions => {
  if (amount === 0 || amount >= 1) return {}
  // At least two significant digits, no matter how many zeros come first.
  return { maximumFractionDigits: Math.min(12, Math.max(2, 1 - Math.floor(Math.log10(amount)))) }
}

/** `$1,250.00`, `€0.12`, `$0.00000045`. */
export const formatAmount = (amount: number, currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency, ...digitsOf(amount) }).format(amount)
