/** Amounts of money, small ones too: what a model costs is often far below a cent. */

const digitsOf = (amount: number): Intl.NumberFormatOptions => {
  if (amount === 0 || amount >= 1) return {}
  // Two digits that say something, however many noughts stand before them.
  return { maximumFractionDigits: Math.min(12, Math.max(2, 1 - Math.floor(Math.log10(amount)))) }
}

/** `$1,250.00`, `€0.12`, `$0.00000045`. */
export const sayAmount = (amount: number, currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency, ...digitsOf(amount) }).format(amount)
