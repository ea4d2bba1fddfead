/** The last step of a review as its workflow remembers it: who took it, when, and what they had to say. */
import type { Actor } from '#kernel/http/actor.ts'

export const reviewStep = (actor: Pick<Actor, 'id' | 'name'>, now: Date, notes: string | undefined) => ({
  ...{ reviewNotes: notes ?? null, reviewById: actor.id, reviewByName: actor.name, reviewedAt: now },
})

/** For a graph that nobody has submitted or handed back. */
export const noReviewStep = { reviewNotes: null, reviewById: null, reviewByName: null, reviewedAt: null } as const
