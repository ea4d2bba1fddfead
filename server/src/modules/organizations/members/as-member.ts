/** The caller, known to belong to an organization. */
import { AppError } from '#kernel/errors.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import type { Actor } from '#kernel/http/actor.ts'

export const asMember = (actor: Actor): OrgActor => {
  const { organizationId } = actor
  if (organizationId === null) throw new AppError('no_organization')
  return { ...actor, organizationId }
}
