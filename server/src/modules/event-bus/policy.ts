/** Dead letters are handled by platform admins, organization admins, and people without an organization. */
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'

export const requireDeadLetterAccess = (actor: Actor): void => {
  if (actor.kind === 'admin' || actor.organizationId === null || actor.role === 'ROLE_ORG_ADMIN') return
  throw new AppError('forbidden')
}
