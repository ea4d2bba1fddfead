/** All SQL for `seal_certificates`. They belong to the instance, and what they say is public. */
import type { Insertable } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { SealCertificatesTable } from './tables.ts'

/** A certificate that is known already stays as it is, and so does the only self-made one. */
export const insertCertificateUnscoped = async (db: Db, row: Insertable<SealCertificatesTable>): Promise<void> => {
  await db
    .insertInto('sealCertificates')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export const findSelfMadeUnscoped = (db: Db) =>
  db.selectFrom('sealCertificates').selectAll().where('origin', '=', 'self_made').executeTakeFirst()

export const isKnownCertificateUnscoped = async (db: Db, fingerprint: string): Promise<boolean> =>
  (await db
    .selectFrom('sealCertificates')
    .select('fingerprint')
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst()) !== undefined
