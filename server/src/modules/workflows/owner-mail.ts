/** Who gets the emails about a workflow. */
import type { Db } from '#kernel/db/database.ts'
import { findUserByIdUnscoped, listOrgAdminsUnscoped } from '#modules/accounts/index.ts'
import type { WorkflowOwner } from './queries/names.ts'

const maxRecipients = 20

/** An account may have been made with anybody's address, and what a workflow says is its author's. */
export const provenAddresses = (people: readonly { email: string; emailProvenAt: Date | null }[]): string[] =>
  people.flatMap(({ email, emailProvenAt }) => (emailProvenAt === null ? [] : email))

/** Its author while they are active, otherwise the organization's admins. */
export const findOwnerAddresses = async (tx: Db, { authorId, scopeId }: WorkflowOwner): Promise<string[]> => {
  const author = await findUserByIdUnscoped(tx, authorId)
  return provenAddresses(
    author?.status === 'ACTIVE' ? [author] : await listOrgAdminsUnscoped(tx, scopeId, maxRecipients),
  )
}
