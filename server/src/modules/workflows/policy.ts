/** Permissions on workflows. Members of a scope share everything in it; only publishing takes a reviewer. */
import { can } from '@chancery/contract/abilities.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'

/** Called before anything is looked up, so that the refusal doesn't reveal what exists. */
export const requireReviewer = (actor: Pick<Actor, 'organizationId' | 'role'>): void => {
  if (!can(actor, 'review-workflows')) throw new AppError('forbidden')
}
