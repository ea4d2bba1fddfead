/** The rule for access by grants. Pure: every module that guards resources with grants asks here. */
import { can } from '@chancery/contract/abilities.ts'
import type { AccessGrant } from '@chancery/contract/grants.ts'
import type { Actor } from '#kernel/http/actor.ts'

export interface Owner {
  kind: Actor['kind']
  id: string
}

export interface GrantQuestion {
  actor: Pick<Actor, 'kind' | 'id' | 'role' | 'organizationId'>
  /** The caller's groups, see `groupsOf`. */
  groups: ReadonlySet<string>
  owner: Owner
  /** Null: open to everybody who is signed in, for reading. */
  grants: readonly AccessGrant[] | null
  permission: AccessGrant['permission']
}

/** Write access includes reading. Platform admins and the owner may do everything. */
export const mayUse = ({ actor, groups, owner, grants, permission }: GrantQuestion): boolean => {
  if (can(actor, 'use-everything') || (owner.kind === actor.kind && owner.id === actor.id)) return true
  if (grants === null) return permission === 'read'
  return grants.some(
    (grant) => (permission === 'read' || grant.permission === 'write') && isMeant(grant, actor, groups),
  )
}

const isMeant = (grant: AccessGrant, actor: GrantQuestion['actor'], groups: ReadonlySet<string>): boolean => {
  if (grant.principal_type === 'user') return grant.principal_id === actor.id
  if (grant.principal_type === 'group') return groups.has(grant.principal_id)
  return grant.principal_id === actor.organizationId
}
