/**
 * Decides if triggers of a scope fire: not when its organization is deactivated or read-only, or its person has left.
 */
import type { Db } from '#kernel/db/database.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { listActiveAmongUnscoped } from '#modules/accounts/index.ts'
import { isReadOnly, listStandingsUnscoped } from '#modules/organizations/index.ts'

interface Needs {
  kernel: Pick<Kernel, 'clock'>
}

/**
 * Scopes that were found to be an active person's, for callers that ask often: such an id never becomes an organization's,
 * so one query is enough for them.
 */
export type KnownPeople = Set<string>

const maxPeople = 10_000

interface Question {
  scopeIds: Iterable<string>
  people?: KnownPeople
}

/** Returns the scopes that are open. */
export const findOpenScopes = async (
  { kernel }: Needs,
  db: Db,
  { scopeIds, people = new Set() }: Question,
): Promise<Set<string>> => {
  const all = [...new Set(scopeIds)]
  const unknown = all.filter((id) => !people.has(id))
  const organizations = await listStandingsUnscoped(db, unknown)
  const ofOrganizations = new Set(organizations.map(({ id }) => id))
  const active = await listActiveAmongUnscoped(
    db,
    all.filter((id) => !ofOrganizations.has(id)),
  )
  if (people.size >= maxPeople) people.clear()
  for (const id of active) people.add(id)
  const now = kernel.clock.now()
  const running = organizations.filter((organization) => organization.active && !isReadOnly(organization, now))
  return new Set([...running.map(({ id }) => id), ...active])
}

export const isScopeOpen = async (needs: Needs, db: Db, scopeId: string): Promise<boolean> =>
  (await findOpenScopes(needs, db, { scopeIds: [scopeId] })).has(scopeId)
