/** How much of a quota is used; it stands out where little is left. */
import type { QuotaUse } from '@chancery/contract/organizations/quotas.ts'
import { Badge } from '#ui/values/badge.tsx'
import { isNearLimit, usedWords } from './quota-words.ts'

export const QuotaUsed = ({ quota }: { quota: QuotaUse }) => (
  <span className="figures">
    {isNearLimit(quota) ? <Badge tone="warn">{usedWords(quota)}</Badge> : usedWords(quota)}
  </span>
)
