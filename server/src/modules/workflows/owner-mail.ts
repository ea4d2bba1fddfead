/** Emails about a workflow: who gets them, and how names are put into them. */
import type { Db } from '#kernel/db/database.ts'
import { findUserByIdUnscoped, listMembersUnscoped } from '#modules/accounts/index.ts'
import type { WorkflowOwner } from './queries/names.ts'

const maxRecipients = 20

/** Its author while they are active, otherwise the organization's admins. */
export const findOwnerAddresses = async (tx: Db, { authorId, scopeId }: WorkflowOwner): Promise<string[]> => {
  const author = await findUserByIdUnscoped(tx, authorId)
  if (author?.status === 'ACTIVE') return [author.email]
  const members = await listMembersUnscoped(tx, scopeId)
  return members
    .filter(({ role, status }) => role === 'ROLE_ORG_ADMIN' && status === 'ACTIVE')
    .slice(0, maxRecipients)
    .map(({ email }) => email)
}

/** Names and errors may contain anything; a subject is one line. */
export const oneLine = (text: string): string =>
  text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 200)
