import type { UsageLimit, UsageRow } from '@chancery/contract/models/usage.ts'
import { unixSeconds } from '#kernel/clock.ts'
import { nilId } from '#kernel/ids.ts'
import type { LimitRow } from './queries/limits.ts'
import type { UsageSum } from './queries/usage-days.ts'
import type { Subject } from './subjects.ts'

export const presentLimit = (limit: LimitRow, subject: Subject | undefined): UsageLimit => ({
  id: limit.id,
  subject_type: limit.subjectType,
  subject_id: limit.subjectId === nilId ? null : limit.subjectId,
  subject_name: subject?.name ?? null,
  set_by: limit.setBy,
  requests_per_minute: limit.requestsPerMinute,
  tokens_per_day: limit.tokensPerDay,
  tokens_per_month: limit.tokensPerMonth,
  created_at: unixSeconds(limit.createdAt),
  updated_at: unixSeconds(limit.updatedAt),
})

export const presentSum = (sum: Omit<UsageSum, 'group' | 'principalKind'>): Omit<UsageRow, 'group' | 'label'> => ({
  requests: sum.requests,
  failures: sum.failures,
  prompt_tokens: sum.promptTokens,
  completion_tokens: sum.completionTokens,
})
