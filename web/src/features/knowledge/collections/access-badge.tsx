/** A collection's readers, in one or two words. */
import type { Collection } from '@chancery/contract/files/knowledge.ts'
import { Badge } from '#ui/values/badge.tsx'

interface AccessBadgeProps {
  collection: Pick<Collection, 'access_grants' | 'user_id' | 'write_access'>
  viewerId: string
}

export function AccessBadge({ collection, viewerId }: AccessBadgeProps) {
  const { access_grants: grants, user_id, write_access } = collection
  if (user_id !== viewerId) return <Badge>{write_access ? 'Shared, can edit' : 'Shared with you'}</Badge>
  if (grants === null) return <Badge tone="good">Everyone</Badge>
  return grants === undefined || grants.length === 0 ? (
    <span className="text-faint">Only you</span>
  ) : (
    <Badge tone="good">Shared</Badge>
  )
}
