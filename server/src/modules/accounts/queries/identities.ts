/** All SQL for `user_identities`: who a person is at another login. */
import type { Db } from '#kernel/db/database.ts'

/** The identity provider has confirmed issuer and subject; there is no actor yet. */
export const findUserByIdentityUnscoped = (db: Db, { issuer, subject }: { issuer: string; subject: string }) =>
  db
    .selectFrom('userIdentities')
    .innerJoin('users', 'users.id', 'userIdentities.userId')
    .selectAll('users')
    .where('userIdentities.issuer', '=', issuer)
    .where('userIdentities.subject', '=', subject)
    .executeTakeFirst()

/** The first to claim an identity keeps it. */
export const linkIdentityUnscoped = (
  db: Db,
  identity: { issuer: string; subject: string; userId: string; createdAt: Date },
) =>
  db
    .insertInto('userIdentities')
    .values(identity)
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export const listIdentitiesUnscoped = (db: Db, issuer: string, userIds: readonly string[]) =>
  db.selectFrom('userIdentities').selectAll().where('issuer', '=', issuer).where('userId', 'in', userIds).execute()
