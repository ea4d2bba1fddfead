/** Sums of usage numbers. */
import type { UsageRow } from '@chancery/contract/models/usage.ts'

export const tokensOf = ({ prompt_tokens, completion_tokens }: Omit<UsageRow, 'group' | 'label'>): number =>
  prompt_tokens + completion_tokens
