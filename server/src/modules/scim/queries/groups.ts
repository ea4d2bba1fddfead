/** All SQL for `scim_groups` and `scim_admins`. */
import { isAmong } from '#kernel/db/among.ts'
import type { Db } from '#kernel/db/database.ts'
import type { ScimGroupsTable } from '../tables.ts'

type Whose = { organizationId: string }

export const listGroupRows = (db: Db, { organizationId }: Whose): Promise<ScimGroupsTable[]> =>
  db.selectFrom('scimGroups').selectAll().where('organizationId', '=', organizationId).execute()

export const findGroupRow = (db: Db, { organizationId }: Whose, unitId: string): Promise<ScimGroupsTable | undefined> =>
  db
    .selectFrom('scimGroups')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('unitId', '=', unitId)
    .executeTakeFirst()

export const saveGroupRow = (tx: Db, row: ScimGroupsTable) =>
  tx
    .insertInto('scimGroups')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('unitId').doUpdateSet({ externalId: row.externalId, changedAt: row.changedAt }),
    )
    .execute()

export const listAdminsByGroup = async (db: Db, { organizationId }: Whose): Promise<string[]> => {
  const rows = await db.selectFrom('scimAdmins').select('userId').where('organizationId', '=', organizationId).execute()
  return rows.map(({ userId }) => userId)
}

export const insertAdminByGroup = (tx: Db, { organizationId }: Whose, { userId, at }: { userId: string; at: Date }) =>
  tx
    .insertInto('scimAdmins')
    .values({ userId, organizationId, grantedAt: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export const deleteAdminsByGroup = (tx: Db, { organizationId }: Whose, userIds: readonly string[]) =>
  tx.deleteFrom('scimAdmins').where('organizationId', '=', organizationId).where(isAmong('userId', userIds)).execute()
