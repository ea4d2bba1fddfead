/** Pure. Who may see whose usage and set whose limits. */
import { can } from '@chancery/contract/abilities.ts'
import type { UsageQuery } from '@chancery/contract/models/usage.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { LimitRow } from './queries/limits.ts'
import type { Subject } from './subjects.ts'

export const requireScope = (actor: Actor, scope: UsageQuery['scope']): void => {
  if (scope === 'organization' && !can(actor, 'read-organization-usage')) throw new AppError('forbidden')
  if (scope === 'platform' && !can(actor, 'read-platform-usage')) throw new AppError('forbidden')
}

/** Returns on whose behalf the caller sets limits. */
export const requireLimiter = (actor: Actor): LimitRow['setBy'] => {
  if (!can(actor, 'limit-members')) throw new AppError('forbidden')
  return can(actor, 'limit-organizations') ? 'platform' : 'organization'
}

export const maySee = (actor: Actor, subject: Subject | undefined): boolean =>
  can(actor, 'limit-organizations') || (subject !== undefined && subject.organizationId === actor.organizationId)

/** An org admin may limit members, groups and their keys, but not the organization itself or everyone. */
export const mayLimit = (actor: Actor, type: LimitRow['subjectType']): boolean =>
  can(actor, 'limit-organizations') || (type !== 'everyone' && type !== 'organization')

export const mayChange = (actor: Actor, limit: LimitRow): boolean =>
  can(actor, 'limit-organizations') || (limit.setBy === 'organization' && mayLimit(actor, limit.subjectType))
