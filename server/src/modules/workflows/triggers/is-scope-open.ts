/** Whether triggers of a scope fire: not when its organization is deactivated or read-only, or its person has left. */
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import { findUserByIdUnscoped } from '#modules/accounts/index.ts'
import { findOrganizationUnscoped } from '#modules/organizations/index.ts'
import type { WorkflowsContext } from '../context.ts'

type Needs = Pick<WorkflowsContext, 'organizations'>

export const isScopeOpen = async ({ organizations }: Needs, db: Db, scopeId: string): Promise<boolean> => {
  const organization = await findOrganizationUnscoped(db, scopeId)
  if (!organization) return (await findUserByIdUnscoped(db, scopeId))?.status === 'ACTIVE'
  if (!organization.active) return false
  try {
    await organizations.requireWritable(db, { organizationId: scopeId })
    return true
  } catch (problem) {
    if (problem instanceof AppError) return false
    throw problem
  }
}

/** Returns the scopes that are open. */
export const findOpenScopes = async (needs: Needs, db: Db, scopeIds: Iterable<string>): Promise<Set<string>> => {
  const open = new Set<string>()
  for (const scopeId of new Set(scopeIds)) if (await isScopeOpen(needs, db, scopeId)) open.add(scopeId)
  return open
}
