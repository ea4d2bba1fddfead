/** Whether triggers of a scope fire: not when its organization is deactivated or read-only, or its person has left. */
import type { Db } from '#kernel/db/database.ts'
import { findUserByIdUnscoped } from '#modules/accounts/index.ts'
import { findOrganizationUnscoped, isReadOnly } from '#modules/organizations/index.ts'
import type { WorkflowsContext } from '../context.ts'

type Needs = Pick<WorkflowsContext, 'kernel'>

/**
 * Scopes that were found to be a person's, for callers that ask often: such an id never becomes an organization's, so one
 * query is enough for them.
 */
export type KnownPeople = Set<string>

const maxPeople = 10_000

interface Question {
  scopeId: string
  people?: KnownPeople | undefined
}

export const isScopeOpen = async ({ kernel }: Needs, db: Db, { scopeId, people }: Question): Promise<boolean> => {
  const organization = people?.has(scopeId) ? undefined : await findOrganizationUnscoped(db, scopeId)
  if (organization) return organization.active && !isReadOnly(organization, kernel.clock.now())
  const person = await findUserByIdUnscoped(db, scopeId)
  if (person && people) {
    if (people.size >= maxPeople) people.clear()
    people.add(scopeId)
  }
  return person?.status === 'ACTIVE'
}

/** Returns the scopes that are open. */
export const findOpenScopes = async (
  needs: Needs,
  db: Db,
  { scopeIds, people }: { scopeIds: Iterable<string>; people?: KnownPeople },
): Promise<Set<string>> => {
  const open = new Set<string>()
  for (const scopeId of new Set(scopeIds)) if (await isScopeOpen(needs, db, { scopeId, people })) open.add(scopeId)
  return open
}
