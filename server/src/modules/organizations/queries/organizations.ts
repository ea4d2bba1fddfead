/** All SQL for `organizations`. */
import type { OrganizationListQuery } from '@chancery/contract/platform/platform.ts'
import { sql } from 'kysely'
import { isAmong } from '#kernel/db/among.ts'
import type { Db } from '#kernel/db/database.ts'
import { fetchPage, inOrder, type SortColumns } from '#kernel/db/paging.ts'
import { prepared } from '#kernel/db/prepared.ts'
import { hasText } from '#kernel/db/text-search.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { OrganizationsTable } from '../tables.ts'

export type OrganizationRow = OrganizationsTable

/** False when the code is taken, also by somebody who takes it at this moment. */
export const insertOrganizationUnscoped = async (db: Db, organization: OrganizationRow): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('organizations')
    .values(organization)
    .onConflict((conflict) => conflict.column('code').doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** The caller's own organization; a person without one has none to find. */
export const findOwnOrganization = (db: Db, actor: Pick<Actor, 'organizationId'>) =>
  db.selectFrom('organizations').selectAll().where('id', '=', actor.organizationId).executeTakeFirst()

export const findOrganizationUnscoped = (db: Db, id: string) =>
  db.selectFrom('organizations').selectAll().where('id', '=', id).executeTakeFirst()

/** The transaction that holds the row counts members and changes limits alone; members can be inserted meanwhile. */
export const lockOrganizationUnscoped = (db: Db, id: string) =>
  db.selectFrom('organizations').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

export const updateOrganizationUnscoped = (db: Db, id: string, change: Partial<Omit<OrganizationRow, 'id'>>) =>
  db.updateTable('organizations').set(change).where('id', '=', id).execute()

const sortColumns: SortColumns<'name' | 'plan' | 'signIn' | 'created'> = {
  name: sql`lower(name)`,
  plan: sql.ref('plan'),
  signIn: sql.ref('authProvider'),
  created: sql.ref('createdAt'),
}

/** Newest first unless sorted: for the platform console only. */
export const listOrganizationsUnscoped = (db: Db, filter: OrganizationListQuery) => {
  const { search, sort = '-created' } = filter
  return fetchPage(db, db.selectFrom('organizations'), filter, {
    select: (query) => inOrder(query.selectAll(), { sort, columns: sortColumns }),
    search: search ? hasText(search, { columns: ['name', 'code'] }) : undefined,
  })
}

/** The part after the last `@`, in lower case. */
export const mailDomainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/** The organization that has proved the domain of this address. */
export const findOrganizationByAddressUnscoped = (db: Db, email: string) =>
  db
    .selectFrom('organizationDomains')
    .innerJoin('organizations', 'organizations.id', 'organizationDomains.organizationId')
    .selectAll('organizations')
    .where('organizationDomains.domain', '=', mailDomainOf(email))
    .where('organizationDomains.verifiedAt', 'is not', null)
    .executeTakeFirst()

export const listOrganizationsAmongUnscoped = async (db: Db, ids: readonly string[]) =>
  ids.length === 0
    ? []
    : db.selectFrom('organizations').select(['id', 'name', 'active']).where(isAmong('id', ids)).execute()

export const listSsoIdsUnscoped = async (db: Db): Promise<string[]> => {
  const rows = await db
    .selectFrom('organizations')
    .select('id')
    .where('authProvider', '=', 'SSO')
    .where('active', '=', true)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** The facts that decide if an organization may work now. */
export type Standing = Pick<OrganizationRow, 'id' | 'active' | 'plan' | 'trialEndsAt'>

export const listStandingsUnscoped = async (db: Db, ids: readonly string[]): Promise<Standing[]> => {
  if (ids.length === 0) return []
  const { rows } = await prepared<Standing>`
    select id, active, plan, trial_ends_at from organizations where id = any(${ids}::uuid[])`.execute(db)
  return rows
}
