/** Ends one login: the caller's own (sign out), or another of theirs. */
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { type AccountsContext, changePrincipal } from '../context.ts'
import { revokeSession } from '../queries/sessions.ts'

type Deps = Pick<AccountsContext, 'db' | 'signals' | 'cache' | 'clock' | 'audit' | 'sessionCompanions'>

export const endSession = (
  context: Deps,
  actor: Actor,
  { sessionId, from }: { sessionId: string; from: Origin },
): Promise<void> =>
  changePrincipal(context, actor.id, async (tx) => {
    const isRevoked = await revokeSession(tx, actor, { id: sessionId, at: context.clock.now() })
    if (!isRevoked) throw new AppError('session_not_found')
    for (const companion of context.sessionCompanions) await companion.end(tx, sessionId)
    const action = sessionId === actor.credential.id ? 'account.sign_out' : 'account.end_session'
    await context.audit.record(tx, { action, by: actor, from, target: { kind: 'session', id: sessionId } })
  })

/** Signing out with an API key ends nothing: a key is revoked by name, not by using it. */
export const signOut = async (context: Deps, actor: Actor, from: Origin): Promise<void> => {
  if (actor.credential.kind === 'session') await endSession(context, actor, { sessionId: actor.credential.id, from })
}
