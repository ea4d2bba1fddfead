/** Revokes one of the caller's API keys; it stops working on every node within seconds. */
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { type AccountsContext, changePrincipal } from './context.ts'
import { revokeApiKey } from './queries/api-keys.ts'

export const deleteApiKey = (
  context: AccountsContext,
  actor: Actor,
  { keyId, from }: { keyId: string; from: Origin },
): Promise<void> =>
  changePrincipal(context, actor.id, async (tx) => {
    const isRevoked = await revokeApiKey(tx, actor, { id: keyId, at: context.clock.now() })
    if (!isRevoked) throw new AppError('api_key_not_found')
    await context.audit.record(tx, {
      action: 'api_key.revoke',
      by: actor,
      from,
      target: { kind: 'api_key', id: keyId },
    })
  })
