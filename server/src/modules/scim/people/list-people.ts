/** A page of an organization's people, as a directory asks for it. */
import { type SqlBool, sql } from 'kysely'
import type { Directory, ScimContext } from '../context.ts'
import { parseFilter } from '../filter/parse-filter.ts'
import type { Range } from '../protocol/resource.ts'
import { listPeople } from '../queries/people.ts'
import { conditionOf } from './filter-users.ts'
import type { Person } from './person.ts'

const present = sql<SqlBool>`users.closed_at is null and not exists (
  select from scim_people where user_id = users.id and organization_id = users.organization_id
    and removed_at is not null)`

interface Question {
  directory: Directory
  filter: string | undefined
  range: Range
}

export const listPersons = async (
  { accounts, db }: ScimContext,
  { directory, filter, range }: Question,
): Promise<{ people: Person[]; total: number }> => {
  const { organizationId } = directory
  const { users } = accounts
  const where =
    filter === undefined ? present : sql<SqlBool>`${present} and ${conditionOf(parseFilter(filter), organizationId)}`
  const found = await users.listMemberIdsUnscoped(db, organizationId, { where })
  const ids = found.slice(range.from, range.from + range.most)
  if (ids.length === 0) return { people: [], total: found.length }
  const rows = new Map((await listPeople(db, directory, ids)).map((row) => [row.userId, row]))
  const people: Person[] = []
  for await (const portion of users.readListedMembersUnscoped(db, organizationId, { ids, sort: undefined }))
    people.push(...portion.map((user) => ({ user, row: rows.get(user.id) })))
  return { people, total: found.length }
}
