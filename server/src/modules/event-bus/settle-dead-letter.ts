/** Ends a dead letter: its event is dispatched once more from the start, or given up. */
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { EventBusContext } from './context.ts'
import { requireCaretaker } from './policy.ts'
import { deleteDeadLetter, lockDeadLetter } from './queries/dead-letters.ts'
import { insertDispatch } from './queries/dispatches.ts'

interface Request {
  id: string
  as: 'retry' | 'discard'
  from: Origin
}

/** After a retry, wake the dispatcher. */
export const settleDeadLetter = (
  { audit, clock, db, failpoints }: Pick<EventBusContext, 'audit' | 'clock' | 'db' | 'failpoints'>,
  actor: Actor,
  { id, as, from }: Request,
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    requireCaretaker(actor)
    const letter = await lockDeadLetter(tx, actor, id)
    if (!letter) throw new AppError('dead_letter_not_found')
    if (as === 'retry') await insertDispatch(tx, { seq: letter.seq, eventId: letter.eventId, dueAt: clock.now() })
    await failpoints.hit('settle: dispatch written')
    await deleteDeadLetter(tx, id)
    await failpoints.hit('settle: dead letter deleted')
    const target = { kind: 'event', id: letter.eventId }
    await audit.record(tx, { action: `event.${as}_dispatch`, by: actor, from, target })
    await failpoints.hit('settle: recorded')
  })
