/** For whom a model is, and whether it is offered, each in a word. */
import { Badge } from '#ui/badge.tsx'
import type { ModelRow } from './model-rows.ts'

export function Access({ count }: { count: number | null }) {
  if (count === null) return <span className="text-soft">Everybody</span>
  if (count === 0) return <Badge tone="warn">Its owner only</Badge>
  return <Badge tone="seal">{count === 1 ? '1 named' : `${count} named`}</Badge>
}

export function State({ row: { isActive, isUnavailable } }: { row: Pick<ModelRow, 'isActive' | 'isUnavailable'> }) {
  if (!isActive) return <Badge>Off</Badge>
  return isUnavailable ? <Badge tone="warn">Unreachable</Badge> : <Badge tone="good">Offered</Badge>
}
