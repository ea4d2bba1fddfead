/** The last active administrator of an organization stays, also when two of them act against each other at once. */
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import type { OrganizationsContext } from '../context.ts'

export interface LockedAdmins {
  /** Throws when nobody but this person could still administer the organization. */
  requireAnother(userId: string): void
}

/** Somebody who was an administrator when the request came may have stopped being one while it waited for the lock. */
export const lockAdmins = async (
  { accounts }: Pick<OrganizationsContext, 'accounts'>,
  tx: Db,
  actor: OrgActor,
): Promise<LockedAdmins> => {
  const admins = await accounts.users.lockOrgAdminsUnscoped(tx, actor.organizationId)
  if (!admins.some(({ id }) => id === actor.id)) throw new AppError('forbidden')
  return {
    requireAnother: (userId) => {
      if (admins.every(({ id }) => id === userId)) throw new AppError('last_admin')
    },
  }
}
