/** The last step of a review, stored with its workflow: who, when, and their notes. */
import type { Actor } from '#kernel/http/actor.ts'

export const reviewStep = (actor: Pick<Actor, 'id' | 'name'>, now: Date, notes: string | undefined) => ({
  reviewNotes: notes ?? null,
  reviewById: actor.id,
  reviewByName: actor.name,
  reviewedAt: now,
})

/** For a graph that hasn't been submitted or rejected. */
export const noReviewStep = { reviewNotes: null, reviewById: null, reviewByName: null, reviewedAt: null } as const
