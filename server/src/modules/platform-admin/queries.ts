/** All SQL for `admin_accounts` and `admin_setup`. Platform admins see each other; nobody else sees them. */
import type { Db } from '#kernel/db/database.ts'
import { fetchPage, type Page } from '#kernel/db/paging.ts'
import { hasText } from '#kernel/db/text-search.ts'
import type { AdminAccountsTable, AdminPasswordResetsTable } from './tables.ts'

export type AdminRow = AdminAccountsTable

/** False when the address is taken, also by somebody who takes it at this moment. */
export const insertAdminUnscoped = async (db: Db, admin: AdminRow): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('adminAccounts')
    .values(admin)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export const findAdminByEmailUnscoped = (db: Db, email: string) =>
  db.selectFrom('adminAccounts').selectAll().where('email', '=', email).executeTakeFirst()

/** Platform admins who may act, for the accounts module: what `asAdminPrincipal` says of one. */
export const activeAdmins = `select id, 'ROLE_PLATFORM_OWNER' as role, null::uuid as organization_id from admin_accounts where active`

export const findAdminByIdUnscoped = (db: Db, id: string) =>
  db.selectFrom('adminAccounts').selectAll().where('id', '=', id).executeTakeFirst()

/** Their names. */
export const listAdminsAmongUnscoped = async (db: Db, ids: readonly string[]) =>
  ids.length === 0 ? [] : db.selectFrom('adminAccounts').select(['id', 'name']).where('id', 'in', ids).execute()

export const setLastLoginUnscoped = (db: Db, id: string, lastLoginAt: Date) =>
  db.updateTable('adminAccounts').set({ lastLoginAt }).where('id', '=', id).execute()

export const setAdminPasswordUnscoped = (db: Db, id: string, passwordHash: string) =>
  db.updateTable('adminAccounts').set({ passwordHash }).where('id', '=', id).execute()

export const replaceAdminResetUnscoped = async (tx: Db, reset: AdminPasswordResetsTable) => {
  await tx.deleteFrom('adminPasswordResets').where('adminId', '=', reset.adminId).execute()
  await tx.insertInto('adminPasswordResets').values(reset).execute()
}

export const findAdminResetUnscoped = (db: Db, tokenHash: string, now: Date) =>
  db
    .selectFrom('adminPasswordResets')
    .selectAll()
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', now)
    .executeTakeFirst()

/** For one of those who open it at the same moment. */
export const useAdminResetUnscoped = (tx: Db, tokenHash: string, now: Date) =>
  tx
    .deleteFrom('adminPasswordResets')
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', now)
    .returningAll()
    .executeTakeFirst()

export const setActiveUnscoped = (db: Db, id: string, active: boolean) =>
  db.updateTable('adminAccounts').set({ active }).where('id', '=', id).returningAll().executeTakeFirst()

/** Locks all active admins, so that two who deactivate each other do so one after the other. */
export const lockActiveAdminsUnscoped = (db: Db) =>
  db.selectFrom('adminAccounts').select('id').where('active', '=', true).orderBy('id').forUpdate().execute()

export const listAdminsUnscoped = (db: Db, filter: Page & { search?: string | undefined }) => {
  const { search } = filter
  return fetchPage(db, db.selectFrom('adminAccounts'), filter, {
    select: (query) => query.selectAll().orderBy('createdAt').orderBy('id'),
    search: search ? hasText(search, { columns: ['name', 'email'] }) : undefined,
  })
}

export const isSetUp = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('adminSetup').select('onlyRow').executeTakeFirst()) !== undefined

/** True for exactly one caller, ever. The others wait for its transaction and then get false. */
export const claimSetupUnscoped = async (db: Db, doneAt: Date): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('adminSetup')
    .values({ onlyRow: true, doneAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}
