/** Permissions on workflows. Members of a scope share everything in it; only publishing takes a reviewer. */
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { isReviewer } from '#modules/runs/index.ts'

/** Called before anything is looked up, so that the refusal doesn't reveal what exists. */
export const requireReviewer = (actor: Pick<Actor, 'organizationId' | 'role'>): void => {
  if (!isReviewer(actor)) throw new AppError('forbidden')
}
