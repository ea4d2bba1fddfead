/** All SQL for `seal_certificates`, `organization_seal_keys` and `seals`. */
import type { Insertable, Selectable } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import type { OrganizationSealKeysTable, SealCertificatesTable, SealsTable } from './tables.ts'

/** The only self-made certificate stays as it is. */
export const insertCertificateUnscoped = async (db: Db, row: Insertable<SealCertificatesTable>): Promise<void> => {
  await db
    .insertInto('sealCertificates')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export const findSelfMadeUnscoped = (db: Db) =>
  db.selectFrom('sealCertificates').selectAll().where('origin', '=', 'self_made').executeTakeFirst()

/** For a seal, which is made by a job. */
export const findOrganizationKeyUnscoped = (db: Db, organizationId: string) =>
  db.selectFrom('organizationSealKeys').selectAll().where('organizationId', '=', organizationId).executeTakeFirst()

export const upsertOrganizationKey = async (
  db: Db,
  actor: OrgActor,
  row: Omit<Insertable<OrganizationSealKeysTable>, 'organizationId'>,
): Promise<void> => {
  await db
    .insertInto('organizationSealKeys')
    .values({ ...row, organizationId: actor.organizationId })
    .onConflict((conflict) => conflict.column('organizationId').doUpdateSet(row))
    .execute()
}

export const deleteOrganizationKey = async (db: Db, actor: OrgActor): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('organizationSealKeys')
    .where('organizationId', '=', actor.organizationId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export const insertSealUnscoped = async (db: Db, row: Insertable<SealsTable>): Promise<void> => {
  await db.insertInto('seals').values(row).execute()
}

export type FoundSeal = Pick<Selectable<SealsTable>, 'documentId' | 'sealedBy'>

/** For anybody who has the file: which document a signature was made for, and with whose key. */
export const findSealUnscoped = (db: Db, signatureSha256: string): Promise<FoundSeal | undefined> =>
  db
    .selectFrom('seals')
    .select(['documentId', 'sealedBy'])
    .where('signatureSha256', '=', signatureSha256)
    .executeTakeFirst()
