/** Pure. Who may see whose usage and set whose limits. */
import type { UsageQuery } from '@chancery/contract/usage.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { LimitRow } from './queries/limits.ts'
import type { Subject } from './subjects.ts'

const isPlatformOwner = (actor: Actor): boolean => actor.role === 'ROLE_PLATFORM_OWNER'
const isOrgAdmin = (actor: Actor): boolean => actor.role === 'ROLE_ORG_ADMIN' && actor.organizationId !== null

export const requireScope = (actor: Actor, scope: UsageQuery['scope']): void => {
  if (scope === 'organization' && !isOrgAdmin(actor)) throw new AppError('forbidden')
  if (scope === 'platform' && !isPlatformOwner(actor)) throw new AppError('forbidden')
}

/** Returns on whose behalf the caller sets limits. */
export const requireLimiter = (actor: Actor): LimitRow['setBy'] => {
  if (isPlatformOwner(actor)) return 'platform'
  if (isOrgAdmin(actor)) return 'organization'
  throw new AppError('forbidden')
}

export const maySee = (actor: Actor, subject: Subject | undefined): boolean =>
  isPlatformOwner(actor) || (subject !== undefined && subject.organizationId === actor.organizationId)

/** An org admin may limit members, groups and their keys, but not the organization itself or everyone. */
export const mayLimit = (actor: Actor, type: LimitRow['subjectType']): boolean =>
  isPlatformOwner(actor) || (type !== 'everyone' && type !== 'organization')

export const mayChange = (actor: Actor, limit: LimitRow): boolean =>
  isPlatformOwner(actor) || (limit.setBy === 'organization' && mayLimit(actor, limit.subjectType))
