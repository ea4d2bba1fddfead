/** Resolves a dead letter: its event is dispatched again, or the dispatch is discarded. */
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { EventBusContext } from './context.ts'
import { requireDeadLetterAccess } from './policy.ts'
import { deleteDeadLetterUnscoped, lockDeadLetter } from './queries/dead-letters.ts'
import { insertDispatchUnscoped } from './queries/dispatches.ts'

interface Request {
  id: string
  as: 'retry' | 'discard'
  from: Origin
}

/** Wake the dispatcher after a retry. */
export const resolveDeadLetter = (
  { audit, clock, db, failpoints }: Pick<EventBusContext, 'audit' | 'clock' | 'db' | 'failpoints'>,
  actor: Actor,
  { id, as, from }: Request,
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    requireDeadLetterAccess(actor)
    const letter = await lockDeadLetter(tx, actor, id)
    if (!letter) throw new AppError('dead_letter_not_found')
    if (as === 'retry') await insertDispatchUnscoped(tx, { seq: letter.seq, eventId: letter.eventId, now: clock.now() })
    await failpoints.hit('dead letter: dispatch queued')
    await deleteDeadLetterUnscoped(tx, id)
    await failpoints.hit('dead letter: deleted')
    const target = { kind: 'event', id: letter.eventId }
    await audit.record(tx, { action: `event.${as}_dispatch`, by: actor, from, target })
    await failpoints.hit('dead letter: recorded')
  })
