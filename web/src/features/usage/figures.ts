/** Formats usage numbers. */
import type { UsageRow } from '@chancery/contract/models/usage.ts'

const whole = new Intl.NumberFormat('en')
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

export const formatNumber = (value: number): string => whole.format(value)
export const formatShort = (value: number): string => short.format(value)
export const tokensOf = ({ prompt_tokens, completion_tokens }: Omit<UsageRow, 'group' | 'label'>): number =>
  prompt_tokens + completion_tokens
