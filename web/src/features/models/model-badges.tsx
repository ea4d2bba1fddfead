/** Badges for a model's audience and availability. */
import { Badge } from '#ui/values/badge.tsx'
import type { ModelRow } from './model-rows.ts'

export function Access({ count }: { count: number | null }) {
  if (count === null) return <span className="text-soft">Everyone</span>
  if (count === 0) return <Badge tone="warn">Owner only</Badge>
  return <Badge tone="seal">Shared with {count}</Badge>
}

export function State({ row: { isActive, isUnavailable } }: { row: Pick<ModelRow, 'isActive' | 'isUnavailable'> }) {
  if (!isActive) return <Badge>Off</Badge>
  return isUnavailable ? <Badge tone="warn">Unavailable</Badge> : <Badge tone="good">On</Badge>
}
