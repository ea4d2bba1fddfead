/**
 * SQL over the members of one organization, which may have any number of them: one page, those of some ids, the
 * administrators, or everybody. Callers have checked that the actor may see them.
 */
import type { TeamQuery } from '@chancery/contract/organizations/team.ts'
import { sql } from 'kysely'
import { isAmong } from '#kernel/db/among.ts'
import type { Db } from '#kernel/db/database.ts'
import { fetchPage, inOrder, type SortColumns } from '#kernel/db/paging.ts'
import { isNamed, type UserRow } from './users.ts'

const membersOf = (db: Db, organizationId: string) =>
  db.selectFrom('users').where('organizationId', '=', organizationId)

const sortColumns: SortColumns<'name' | 'role' | 'status' | 'lastLogin'> = {
  name: sql`lower(name)`,
  role: sql.ref('role'),
  status: sql.ref('status'),
  lastLogin: sql`coalesce(last_login_at, '-infinity')`,
}

export interface MemberFilter extends Pick<TeamQuery, 'search' | 'sort' | 'ids'> {
  /** Without it, all of them. */
  page?: { page: number; limit: number } | undefined
  isActiveOnly?: boolean
}

/** By name unless sorted, and how many match. */
export const listMembersUnscoped = async (
  db: Db,
  organizationId: string,
  { page, search, sort, ids, isActiveOnly = false }: MemberFilter,
): Promise<{ items: UserRow[]; total: number }> => {
  const matching = membersOf(db, organizationId)
    .$if(isActiveOnly, (query) => query.where('status', '=', 'ACTIVE'))
    .$if(ids !== undefined, (query) => query.where(isAmong('id', ids ?? [])))
  const found = search === undefined ? undefined : isNamed(search)
  const ordered = (query: typeof matching) =>
    sort === undefined
      ? query.selectAll().orderBy('name').orderBy('id')
      : inOrder(query.selectAll(), { sort, columns: sortColumns, tie: sql`(lower(name), id)` })
  if (page) return fetchPage(db, matching, page, { select: ordered, search: found })
  const items = await ordered(found ? matching.where(found.byReading) : matching).execute()
  return { items, total: items.length }
}

const perRead = 1000

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
