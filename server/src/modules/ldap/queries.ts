/** All SQL for `ldap_directories`. */
import type { Insertable, Selectable } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import type { LdapDirectoriesTable } from './tables.ts'

export type DirectoryRow = Selectable<LdapDirectoriesTable>

export const findDirectory = (db: Db, actor: OrgActor) => findDirectoryUnscoped(db, actor.organizationId)

/** Two who save at once do so one after the other, and neither keeps a password the other replaced. */
export const lockDirectory = (db: Db, actor: OrgActor) =>
  db
    .selectFrom('ldapDirectories')
    .selectAll()
    .where('organizationId', '=', actor.organizationId)
    .forUpdate()
    .executeTakeFirst()

/** For a login: nobody is signed in yet. */
export const findDirectoryUnscoped = (db: Db, organizationId: string) =>
  db.selectFrom('ldapDirectories').selectAll().where('organizationId', '=', organizationId).executeTakeFirst()

export const upsertDirectoryUnscoped = (db: Db, row: Insertable<LdapDirectoriesTable>): Promise<DirectoryRow> =>
  db
    .insertInto('ldapDirectories')
    .values(row)
    .onConflict((conflict) => conflict.column('organizationId').doUpdateSet(row))
    .returningAll()
    .executeTakeFirstOrThrow()

export const deleteDirectory = async (db: Db, actor: OrgActor): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('ldapDirectories')
    .where('organizationId', '=', actor.organizationId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
