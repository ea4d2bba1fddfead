/** Ends the grants of a person who is deleted. Groups lose them with their row. */
import type { UserDeletionHandler } from '#modules/accounts/index.ts'
import type { OrganizationsContext } from '../context.ts'
import { deleteGrantsToUnscoped } from '../queries/grants.ts'

export const forgetMember =
  ({ announce }: Pick<OrganizationsContext, 'announce'>): UserDeletionHandler =>
  async (tx, { user }) => {
    await deleteGrantsToUnscoped(tx, 'user', user.id)
    const { id: userId, organizationId } = user
    if (organizationId !== null) await announce(tx, { type: 'member_deactivated', organizationId, userId })
  }
