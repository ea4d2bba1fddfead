/** An address of a verified domain belongs to that organization's people: no other organization can take it in. */
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import { findOrganizationByAddressUnscoped } from '../queries/organizations.ts'

export const requireOwnAddress = async (tx: Db, organizationId: string, email: string): Promise<void> => {
  const owner = await findOrganizationByAddressUnscoped(tx, email)
  if (owner && owner.id !== organizationId) throw new AppError('email_domain_taken')
}
