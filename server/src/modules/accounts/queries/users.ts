/** All SQL for `users`. A person's row belongs to that person; lists across people are for the platform console. */
import type { UserListQuery } from '@chancery/contract/platform/platform.ts'
import { type Insertable, type Selectable, sql } from 'kysely'
import { isAmong } from '#kernel/db/among.ts'
import type { Db } from '#kernel/db/database.ts'
import { fetchPage, inOrder, type SortColumns } from '#kernel/db/paging.ts'
import { prepared } from '#kernel/db/prepared.ts'
import { hasText } from '#kernel/db/text-search.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { UsersTable } from '../tables.ts'

export type UserRow = Selectable<UsersTable>

export const insertUserUnscoped = (db: Db, user: Insertable<UsersTable>) =>
  db.insertInto('users').values(user).returningAll().executeTakeFirstOrThrow()

/** Before anybody is signed in there is no actor to scope by. */
export const findUserByEmailUnscoped = (db: Db, email: string) =>
  db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()

export const findUserByIdUnscoped = (db: Db, id: string) =>
  db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()

export const getSelf = (db: Db, actor: Actor) =>
  db.selectFrom('users').selectAll().where('id', '=', actor.id).executeTakeFirstOrThrow()

export const updateSelf = (db: Db, actor: Actor, change: Partial<Pick<UserRow, 'name' | 'loginOtp'>>) =>
  db.updateTable('users').set(change).where('id', '=', actor.id).returningAll().executeTakeFirstOrThrow()

export const setPasswordHashUnscoped = (db: Db, userId: string, passwordHash: string | null) =>
  db.updateTable('users').set({ passwordHash }).where('id', '=', userId).execute()

/** False when the person was deactivated or got another password since they were read. Locks the row. */
export const confirmLoginUnscoped = async (db: Db, user: UserRow, at: Date): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ lastLoginAt: at })
    .where('id', '=', user.id)
    .where('status', '=', 'ACTIVE')
    .where('passwordHash', 'is not distinct from', user.passwordHash)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const noteLastLoginUnscoped = (db: Db, userId: string, at: Date) =>
  db.updateTable('users').set({ lastLoginAt: at }).where('id', '=', userId).execute()

/** Whose unproven account has this address, held until the transaction ends. */
export const lockUnprovenUnscoped = (tx: Db, email: string) =>
  tx
    .selectFrom('users')
    .selectAll()
    .where('email', '=', email)
    .where('emailProvenAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()

/** In the order of their ids, held until the transaction ends. */
export const lockUsersUnscoped = (tx: Db, ids: readonly string[]) =>
  tx.selectFrom('users').selectAll().where('id', 'in', ids).orderBy('id').forUpdate().execute()

export const deleteUserRowUnscoped = (tx: Db, id: string) => tx.deleteFrom('users').where('id', '=', id).execute()

/**
 * Locks unproven accounts that nobody used after registering: no request, no later sign-in, no key, no organization.
 * One whose sessions have been deleted is kept, since nothing says any more that it was not used.
 */
export const lockUnusedUnscoped = (tx: Db, { createdBefore, limit }: { createdBefore: Date; limit: number }) =>
  tx
    .selectFrom('users')
    .select(['id', 'email', 'organizationId'])
    .where('emailProvenAt', 'is', null)
    .where('closedAt', 'is', null)
    .where('organizationId', 'is', null)
    .where('createdAt', '<', createdBefore)
    .where(sql<boolean>`exists (select from sessions s where s.principal_id = users.id)`)
    .where(sql<boolean>`not exists (select from sessions s where s.principal_id = users.id
      and (s.last_used_at > s.created_at or s.created_at > users.created_at + interval '1 minute'))`)
    .where(sql<boolean>`not exists (select from api_keys k where k.principal_id = users.id)`)
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()

export const listClosedUnscoped = (db: Db, { closedBefore, limit }: { closedBefore: Date; limit: number }) =>
  db.selectFrom('users').select('id').where('closedAt', '<', closedBefore).orderBy('id').limit(limit).execute()

/** The placeholder can neither sign in nor get mail: `.invalid` is reserved. */
export const releaseAddressUnscoped = (tx: Db, user: Pick<UserRow, 'id' | 'email'>, at: Date) =>
  tx
    .updateTable('users')
    .set({ email: `released-${user.id}@address.invalid`, formerEmail: user.email, closedAt: at })
    .where('id', '=', user.id)
    .execute()

/** The new address is unproven. A closed account is open again. */
export const setAddressUnscoped = (tx: Db, userId: string, email: string) =>
  tx
    .updateTable('users')
    .set({ email, emailProvenAt: null, formerEmail: null, closedAt: null })
    .where('id', '=', userId)
    .returningAll()
    .executeTakeFirst()

export const joinOrganizationUnscoped = (
  tx: Db,
  userId: string,
  { organizationId, role }: { organizationId: string; role: UserRow['role'] },
) =>
  tx
    .updateTable('users')
    .set({ organizationId, role })
    .where('id', '=', userId)
    .where('organizationId', 'is', null)
    .returningAll()
    .executeTakeFirst()

/** The first proof counts. */
export const noteProvenEmailUnscoped = (db: Db, userId: string, at: Date) =>
  db
    .updateTable('users')
    .set({ emailProvenAt: at })
    .where('id', '=', userId)
    .where('emailProvenAt', 'is', null)
    .execute()

export const setDeactivationUnscoped = (
  db: Db,
  userId: string,
  change: Partial<Pick<UserRow, 'deactivatedAt' | 'bannedAt'>>,
) => db.updateTable('users').set(change).where('id', '=', userId).returningAll().executeTakeFirst()

const sortColumns: SortColumns<'name' | 'role' | 'status' | 'lastLogin' | 'created'> = {
  name: sql`lower(name)`,
  role: sql.ref('role'),
  status: sql.ref('status'),
  lastLogin: sql`coalesce(last_login_at, '-infinity')`,
  created: sql.ref('createdAt'),
}

/** Whether the text is in the name or the email. */
export const isNamed = (text: string) =>
  hasText(text, { columns: ['name', 'email'], trigrams: sql`trigrams('', name || E'\\n' || email)` })

/** Newest first unless sorted, across all organizations: for the platform console only. */
export const listUsersUnscoped = (db: Db, filter: UserListQuery) => {
  const { search, sort = '-created' } = filter
  return fetchPage(db, db.selectFrom('users'), filter, {
    select: (query) => inOrder(query.selectAll(), { sort, columns: sortColumns }),
    search: search ? isNamed(search) : undefined,
  })
}

/** Active members by organization; those without any are absent. */
export const countMembersUnscoped = async (
  db: Db,
  organizationIds: readonly string[],
): Promise<Map<string, number>> => {
  if (organizationIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .select((select) => ['organizationId', select.fn.countAll<number>().as('count')])
    .where('organizationId', 'in', organizationIds)
    .where('status', '=', 'ACTIVE')
    .groupBy('organizationId')
    .execute()
  return new Map(rows.map((row) => [row.organizationId ?? '', row.count]))
}

export const updateUserUnscoped = (db: Db, userId: string, change: Partial<Pick<UserRow, 'name' | 'role' | 'email'>>) =>
  db.updateTable('users').set(change).where('id', '=', userId).returningAll().executeTakeFirst()

/** Names and organizations of these people; the caller has checked who may see them. */
export const listUsersAmongUnscoped = async (db: Db, ids: readonly string[]) =>
  ids.length === 0
    ? []
    : db.selectFrom('users').select(['id', 'name', 'organizationId', 'status']).where(isAmong('id', ids)).execute()

/** Those of these people whose accounts are active. */
export const listActiveAmongUnscoped = async (db: Db, ids: readonly string[]): Promise<string[]> => {
  if (ids.length === 0) return []
  const { rows } = await prepared<{ id: string }>`
    select id from users where id = any(${ids}::uuid[]) and status = 'ACTIVE'`.execute(db)
  return rows.map(({ id }) => id)
}
