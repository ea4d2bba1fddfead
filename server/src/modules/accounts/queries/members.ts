/**
 * SQL over the members of one organization, which may have any number of them: one page, those of some ids, the
 * administrators, or everybody in portions. Callers have checked that the actor may see them.
 */
import type { TeamQuery } from '@chancery/contract/organizations/team.ts'
import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { isAmong } from '#kernel/db/among.ts'
import type { Db } from '#kernel/db/database.ts'
import { fetchPage, inOrder, type Page, type SortColumns } from '#kernel/db/paging.ts'
import type { Tables } from '#kernel/db/tables.ts'
import { isNamed, type UserRow } from './users.ts'

const membersOf = (db: Db, organizationId: string) =>
  db.selectFrom('users').where('organizationId', '=', organizationId)

const sortColumns: SortColumns<'name' | 'role' | 'status' | 'lastLogin'> = {
  name: sql`lower(name)`,
  role: sql.ref('role'),
  status: sql.ref('status'),
  lastLogin: sql`coalesce(last_login_at, '-infinity')`,
}

export interface MemberFilter extends Pick<TeamQuery, 'search' | 'sort' | 'ids' | 'factors'> {
  /** SQL over `users`: true for those who have a second factor. */
  enrolled?: string | undefined
  /** Another condition over `users`. */
  where?: RawBuilder<SqlBool> | undefined
  isActiveOnly?: boolean
}

const matching = (
  db: Db,
  organizationId: string,
  { ids, factors, enrolled = 'false', where, isActiveOnly = false }: MemberFilter,
) =>
  membersOf(db, organizationId)
    .$if(isActiveOnly, (query) => query.where('status', '=', 'ACTIVE'))
    .$if(factors !== undefined, (query) => query.where(sql<SqlBool>`${sql.raw(enrolled)} = ${factors === 'some'}`))
    .$if(where !== undefined, (query) => query.where(where ?? sql<SqlBool>`true`))
    .$if(ids !== undefined, (query) => query.where(isAmong('id', ids ?? [])))

const found = ({ search }: MemberFilter) => (search === undefined ? undefined : isNamed(search))

/** By name unless sorted. */
const inListOrder = <Row>(query: SelectQueryBuilder<Tables, 'users', Row>, { sort }: MemberFilter) =>
  sort === undefined
    ? query.orderBy('name').orderBy('id')
    : inOrder(query, { sort, columns: sortColumns, tie: sql`(lower(name), id)` })

/** One page, and how many match. */
export const listMembersUnscoped = (
  db: Db,
  organizationId: string,
  { page, ...filter }: MemberFilter & { page: Page },
): Promise<{ items: UserRow[]; total: number }> =>
  fetchPage(db, matching(db, organizationId, filter), page, {
    select: (query) => inListOrder(query.selectAll(), filter),
    search: found(filter),
  })

/** Of all who match, in the order of the list. */
export const listMemberIdsUnscoped = async (
  db: Db,
  organizationId: string,
  filter: MemberFilter,
): Promise<string[]> => {
  const search = found(filter)
  const all = matching(db, organizationId, filter).$if(search !== undefined, (query) =>
    query.where(search?.byReading ?? sql<SqlBool>`true`),
  )
  return (await inListOrder(all.select('id'), filter).execute()).map(({ id }) => id)
}

const perRead = 1000

/** The members of ids that were listed, in the order of their list, in portions. */
export async function* readListedMembersUnscoped(
  db: Db,
  organizationId: string,
  { ids, sort }: { ids: readonly string[]; sort: MemberFilter['sort'] },
): AsyncGenerator<UserRow[], void> {
  for (let start = 0; start < ids.length; start += perRead) {
    const portion = { ids: ids.slice(start, start + perRead), sort }
    yield await inListOrder(matching(db, organizationId, portion).selectAll(), portion).execute()
  }
}

/** Everybody, whatever their status, in portions: for what compares all of them with another system. */
export async function* readMembersUnscoped(db: Db, organizationId: string): AsyncGenerator<UserRow[]> {
  let after = ''
  while (true) {
    const rows = await membersOf(db, organizationId)
      .selectAll()
      .$if(after !== '', (query) => query.where('id', '>', after))
      .orderBy('id')
      .limit(perRead)
      .execute()
    if (rows.length > 0) yield rows
    if (rows.length < perRead) return
    after = rows.at(-1)?.id ?? ''
  }
}

/** Those of the ids who are members, whatever their status. */
export const listMembersAmongUnscoped = (
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<Pick<UserRow, 'id' | 'email' | 'emailProvenAt' | 'status'>[]> =>
  membersOf(db, organizationId)
    .select(['id', 'email', 'emailProvenAt', 'status'])
    .where(isAmong('id', ids))
    .orderBy('id')
    .execute()

/** Active administrators, the longest here first. */
export const listOrgAdminsUnscoped = (
  db: Db,
  organizationId: string,
  limit: number,
): Promise<Pick<UserRow, 'id' | 'email' | 'emailProvenAt'>[]> =>
  membersOf(db, organizationId)
    .select(['id', 'email', 'emailProvenAt'])
    .where('role', '=', 'ROLE_ORG_ADMIN')
    .where('status', '=', 'ACTIVE')
    .orderBy('createdAt')
    .orderBy('id')
    .limit(limit)
    .execute()

/** Locks the active admins of an organization, so that two who demote each other do so one after the other. */
export const lockOrgAdminsUnscoped = (db: Db, organizationId: string) =>
  membersOf(db, organizationId)
    .select('id')
    .where('role', '=', 'ROLE_ORG_ADMIN')
    .where('status', '=', 'ACTIVE')
    .orderBy('id')
    .forUpdate()
    .execute()
