/** What leaves this module as JSON. */
import type { UsageLimit, UsageRow } from '@chancery/contract/usage.ts'
import type { LimitRow } from './queries/limits.ts'
import type { UsageSum } from './queries/usage-days.ts'
import type { Subject } from './subjects.ts'
import { nilId } from './tables.ts'

const epoch = (time: Date): number => Math.floor(time.getTime() / 1000)

export const presentLimit = (limit: LimitRow, subject: Subject | undefined): UsageLimit => ({
  id: limit.id,
  subject_type: limit.subjectType,
  subject_id: limit.subjectId === nilId ? null : limit.subjectId,
  subject_name: subject?.name ?? null,
  set_by: limit.setBy,
  requests_per_minute: limit.requestsPerMinute,
  tokens_per_day: limit.tokensPerDay,
  tokens_per_month: limit.tokensPerMonth,
  created_at: epoch(limit.createdAt),
  updated_at: epoch(limit.updatedAt),
})

export const presentSum = (sum: Omit<UsageSum, 'group' | 'principalKind'>): Omit<UsageRow, 'group' | 'label'> => ({
  requests: sum.requests,
  failures: sum.failures,
  prompt_tokens: sum.promptTokens,
  completion_tokens: sum.completionTokens,
})
