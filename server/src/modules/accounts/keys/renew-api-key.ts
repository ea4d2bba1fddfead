/** Gives an API key a new secret and a new end. The key is the same one in its owner's list, and the old secret is void. */
import { hashToken, randomToken } from '#kernel/crypto/tokens.ts'
import type { Db } from '#kernel/db/database.ts'
import type { PrincipalKind } from '#kernel/http/actor.ts'
import type { PrincipalSource } from '../actor/authenticate.ts'
import { findLiveKeyByIdUnscoped, renewKeyUnscoped } from '../queries/api-keys.ts'
import { newKey } from './create-api-key.ts'

/** In the caller's `changePrincipal`. Undefined where the key is revoked, or its owner's account isn't active. */
export const renewApiKey = async (
  tx: Db,
  principals: ReadonlyMap<PrincipalKind, PrincipalSource>,
  { keyId, expiresAt }: { keyId: string; expiresAt: Date },
): Promise<string | undefined> => {
  const row = await findLiveKeyByIdUnscoped(tx, keyId)
  const principal = row && (await principals.get(row.principalKind)?.load(tx, row.principalId))
  if (principal?.status !== 'ACTIVE') return undefined
  const { key, prefix } = newKey(randomToken())
  const isRenewed = await renewKeyUnscoped(tx, { id: keyId, keyHash: hashToken(key), prefix, expiresAt })
  return isRenewed ? key : undefined
}
