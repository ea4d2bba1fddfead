/** A company as the directory should show it: read from our tables, at one moment. */
import type { LdapContext } from '../context.ts'

export interface Company {
  id: string
  name: string
  people: { id: string; name: string; email: string; departments: string[] }[]
  groups: { id: string; name: string; memberIds: string[] }[]
  departments: { id: string; name: string }[]
}

/** Active members only: deactivated people are removed from the directory. */
export const readCompany = (
  { accounts, db, organizations }: Pick<LdapContext, 'accounts' | 'db' | 'organizations'>,
  organizationId: string,
): Promise<Company | undefined> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const organization = await organizations.findUnscoped(tx, organizationId)
      if (!organization) return undefined
      const groups = await organizations.units.listUnscoped(tx, organizationId, 'group')
      const departments = await organizations.units.listUnscoped(tx, organizationId, 'department')
      const departmentsOf = namesByMember(departments)
      const people: Company['people'] = []
      for await (const members of accounts.users.readMembersUnscoped(tx, organizationId))
        for (const { id, name, email, status } of members)
          if (status === 'ACTIVE') people.push({ id, name, email, departments: departmentsOf.get(id) ?? [] })
      return { id: organizationId, name: organization.name, people, groups, departments }
    })

/** In the order of the units, whose order is by name. */
const namesByMember = (units: readonly { name: string; memberIds: readonly string[] }[]): Map<string, string[]> => {
  const names = new Map<string, string[]>()
  for (const { name, memberIds } of units)
    for (const id of memberIds) {
      const known = names.get(id)
      if (known) known.push(name)
      else names.set(id, [name])
    }
  return names
}
