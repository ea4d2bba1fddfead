/**
 * The one place where an account's address becomes proven. Somebody else may have made the account, so every
 * session and key from before ends, and with them what only that person knows.
 */
import type { Db } from '#kernel/db/database.ts'
import { type AccountsContext, principalTopic } from '../context.ts'
import { revokeApiKeysUnscoped } from '../queries/api-keys.ts'
import { deleteVerificationsUnscoped } from '../queries/email-verifications.ts'
import { deleteIdentitiesUnscoped } from '../queries/identities.ts'
import { endChallengesUnscoped } from '../queries/login-challenges.ts'
import { deleteResetsUnscoped } from '../queries/password-resets.ts'
import { revokeSessionsUnscoped } from '../queries/sessions.ts'
import { lockUnprovenUnscoped, noteProvenEmailUnscoped, setPasswordHashUnscoped } from '../queries/users.ts'

export type AddressProof =
  /** The proof was in this email, and can be known from nowhere else. */
  | { mailId: string | null }
  /** A provider (its issuer), or the organization that owns the address's domain, vouches for it. */
  | { vouchedBy: string }

export interface ProvenAddress {
  userId: string
  /** The address that is proven: another one that the account has by now is not. */
  email: string
  proof: AddressProof
  /**
   * The proof that the person also made the account: they are in this session of it, or know its password. With
   * `nothing`, the password and the logins linked elsewhere go, and what acts for the account stops.
   */
  keeps: 'nothing' | 'password' | { sessionId: string }
}

type Deps = Pick<AccountsContext, 'cache' | 'clock' | 'mail' | 'signals' | 'takeoverHandlers'>

/** False when it proves nothing. An address that is proven already stays so, and nothing ends. */
export const proveAddressUnscoped = async (
  { cache, clock, mail, signals, takeoverHandlers }: Deps,
  tx: Db,
  { userId, email, proof, keeps }: ProvenAddress,
): Promise<boolean> => {
  if ('mailId' in proof && !(await mail.hasReachedOnly(tx, { id: proof.mailId, to: email }))) return false
  const holder = await lockUnprovenUnscoped(tx, email)
  if (holder?.id !== userId) return true
  const at = clock.now()
  await noteProvenEmailUnscoped(tx, userId, at)
  await revokeSessionsUnscoped(tx, userId, { at, except: typeof keeps === 'object' ? keeps.sessionId : undefined })
  await revokeApiKeysUnscoped(tx, userId, at)
  await endChallengesUnscoped(tx, { kind: 'user', id: userId }, at)
  await deleteResetsUnscoped(tx, userId)
  await deleteVerificationsUnscoped(tx, userId)
  if (keeps === 'nothing') {
    await setPasswordHashUnscoped(tx, userId, null)
    await deleteIdentitiesUnscoped(tx, userId, 'vouchedBy' in proof ? proof.vouchedBy : undefined)
    for (const handle of takeoverHandlers) await handle(tx, userId)
  }
  cache.forget(userId)
  await signals.send(tx, principalTopic, userId)
  return true
}
