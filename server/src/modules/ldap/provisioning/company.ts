/** What the directory should say about a company: read from our tables, at one moment. */
import type { LdapContext } from '../context.ts'

/** Where `listMembersUnscoped` ends. */
const longestList = 5000

export interface Company {
  id: string
  name: string
  /** False where there are more people than one list holds: then nobody is missed, and nobody removed. */
  hasEverybody: boolean
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
      const members = await accounts.users.listMembersUnscoped(tx, organizationId)
      const groups = await organizations.units.listUnscoped(tx, organizationId, 'group')
      const departments = await organizations.units.listUnscoped(tx, organizationId, 'department')
      const departmentsOf = (userId: string) =>
        departments.filter(({ memberIds }) => memberIds.includes(userId)).map(({ name }) => name)
      const people = members
        .filter(({ status }) => status === 'ACTIVE')
        .map(({ id, name, email }) => ({ id, name, email, departments: departmentsOf(id) }))
      const hasEverybody = members.length < longestList
      return { id: organizationId, name: organization.name, hasEverybody, people, groups, departments }
    })
