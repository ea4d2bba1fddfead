/** Who may do what with workflows. Members of a scope share everything in it; only publishing takes a reviewer. */
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'

/** Organization admins review; people without an organization review their own workflows. */
export const isReviewer = (actor: Pick<Actor, 'organizationId' | 'role'>): boolean =>
  actor.organizationId === null || actor.role === 'ROLE_ORG_ADMIN'

/** Called before anything is looked up, so that the refusal doesn't reveal what exists. */
export const requireReviewer = (actor: Pick<Actor, 'organizationId' | 'role'>): void => {
  if (!isReviewer(actor)) throw new AppError('forbidden')
}

/** A test with effects does what a published workflow does, with the scope's credentials, on a graph nobody reviewed. */
export const canTestWithEffects = (actor: Parameters<typeof isReviewer>[0]): boolean => isReviewer(actor)
