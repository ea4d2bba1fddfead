/** All SQL for `scim_groups` and `scim_admins`. */
import { isAmong } from '#kernel/db/among.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Directory } from '../context.ts'
import type { ScimGroupsTable } from '../tables.ts'

export const listGroupRows = (
  db: Db,
  { organizationId }: Pick<Directory, 'organizationId'>,
): Promise<ScimGroupsTable[]> =>
  db.selectFrom('scimGroups').selectAll().where('organizationId', '=', organizationId).execute()

export const findGroupRow = (
  db: Db,
  { organizationId }: Pick<Directory, 'organizationId'>,
  unitId: string,
): Promise<ScimGroupsTable | undefined> =>
  db
    .selectFrom('scimGroups')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('unitId', '=', unitId)
    .executeTakeFirst()

export const saveGroupRowUnscoped = (tx: Db, row: ScimGroupsTable) =>
  tx
    .insertInto('scimGroups')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('unitId').doUpdateSet({ externalId: row.externalId, changedAt: row.changedAt }),
    )
    .execute()

export const listAdminsByGroup = async (
  db: Db,
  { organizationId }: Pick<Directory, 'organizationId'>,
): Promise<string[]> => {
  const rows = await db.selectFrom('scimAdmins').select('userId').where('organizationId', '=', organizationId).execute()
  return rows.map(({ userId }) => userId)
}

export const insertAdminByGroup = (
  tx: Db,
  { organizationId }: Pick<Directory, 'organizationId'>,
  { userId, at }: { userId: string; at: Date },
) =>
  tx
    .insertInto('scimAdmins')
    .values({ userId, organizationId, grantedAt: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export const deleteAdminsByGroup = (
  tx: Db,
  { organizationId }: Pick<Directory, 'organizationId'>,
  userIds: readonly string[],
) =>
  tx.deleteFrom('scimAdmins').where('organizationId', '=', organizationId).where(isAmong('userId', userIds)).execute()
