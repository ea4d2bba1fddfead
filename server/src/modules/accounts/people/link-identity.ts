/**
 * The one rule by which a login elsewhere comes to open an account, for every door (company login, OAuth, a company's
 * directory): an account stays one person at an issuer. A later owner of its address there, under another subject, is
 * somebody else, who got a recycled address.
 */
import type { Db } from '#kernel/db/database.ts'
import type { AccountsContext } from '../context.ts'
import { insertIdentityUnscoped, listIdentitiesUnscoped } from '../queries/identities.ts'
import { lockUsersUnscoped } from '../queries/users.ts'

export interface IdentityKey {
  issuer: string
  subject: string
}

/** False when the account belongs to another subject, or the subject to another account: then nobody gets in. */
export const linkIdentityUnscoped = async (
  { clock }: Pick<AccountsContext, 'clock'>,
  tx: Db,
  { issuer, subject, userId }: IdentityKey & { userId: string },
): Promise<boolean> => {
  await lockUsersUnscoped(tx, [userId])
  const own = await listIdentitiesUnscoped(tx, issuer, [userId])
  if (own.length > 0) return own.some((identity) => identity.subject === subject)
  return insertIdentityUnscoped(tx, { issuer, subject, userId, createdAt: clock.now() })
}
