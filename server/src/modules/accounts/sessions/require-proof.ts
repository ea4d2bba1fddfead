/** What would outlast or weaken the sign-in: whoever has a second factor shows it first. */
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { hasFreshProof } from '#kernel/http/gate/route-rules.ts'
import type { AccountsContext } from '../context.ts'

/** Throws `fresh_proof_required`. A key is asked for nothing: it hands on no more than it has. */
export const requireProof = async (
  { clock, db, secondFactors }: Pick<AccountsContext, 'clock' | 'db' | 'secondFactors'>,
  actor: Actor,
): Promise<void> => {
  if (actor.credential.kind !== 'session' || hasFreshProof(actor, clock.now())) return
  const owned = (await secondFactors?.listSteps(db, actor)) ?? []
  if (owned.length > 0) throw new AppError('fresh_proof_required')
}
