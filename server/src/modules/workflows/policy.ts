/** Who may do what with workflows. All that belongs to a scope is its members' alike; only publishing takes a reviewer. */
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'

/** An organization's administrators review; whoever has no organization reviews what is theirs. */
export const isReviewer = (actor: Pick<Actor, 'organizationId' | 'role'>): boolean =>
  actor.organizationId === null || actor.role === 'ROLE_ORG_ADMIN'

/** Before anything is looked up, so that the refusal tells nothing about what exists. */
export const requireReviewer = (actor: Pick<Actor, 'organizationId' | 'role'>): void => {
  if (!isReviewer(actor)) throw new AppError('forbidden')
}
