/** Revokes an API key; it stops working on every node within seconds. */
import type { Origin } from '#kernel/audit/audit.ts'
import { type AccountsContext, changePrincipal } from '../context.ts'
import type { KeyOwner } from '../interface.ts'
import { revokeApiKey } from '../queries/api-keys.ts'

/** False when the owner has no such key, or it is revoked already. */
export const deleteApiKey = (
  context: AccountsContext,
  owner: KeyOwner,
  { keyId, from }: { keyId: string; from: Origin },
): Promise<boolean> =>
  changePrincipal(context, owner.id, async (tx) => {
    const isRevoked = await revokeApiKey(tx, owner, { id: keyId, at: context.clock.now() })
    const target = { kind: 'api_key', id: keyId }
    if (isRevoked) await context.audit.record(tx, { action: 'api_key.revoke', by: owner, from, target })
    return isRevoked
  })
