/** The recipients of emails about a workflow. */
import type { Db } from '#kernel/db/database.ts'
import { findUserByIdUnscoped, listOrgAdminsUnscoped } from '#modules/accounts/index.ts'
import { provenAddresses } from '#modules/runs/index.ts'
import type { WorkflowOwner } from './queries/names.ts'

const maxRecipients = 20

/** Its author while they are active, otherwise the organization's admins. */
export const findOwnerAddresses = async (tx: Db, { authorId, scopeId }: WorkflowOwner): Promise<string[]> => {
  const author = await findUserByIdUnscoped(tx, authorId)
  return provenAddresses(
    author?.status === 'ACTIVE' ? [author] : await listOrgAdminsUnscoped(tx, scopeId, maxRecipients),
  )
}
