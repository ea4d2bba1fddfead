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

/** The first to claim an identity keeps it: false when somebody else has it. */
export const insertIdentityUnscoped = async (
  db: Db,
  identity: { issuer: string; subject: string; userId: string; createdAt: Date },
): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('userIdentities')
    .values(identity)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** All, except for those at an issuer if given. */
export const deleteIdentitiesUnscoped = (db: Db, userId: string, exceptIssuer: string | undefined) =>
  db
    .deleteFrom('userIdentities')
    .where('userId', '=', userId)
    .$if(exceptIssuer !== undefined, (query) => query.where('issuer', '!=', exceptIssuer ?? ''))
    .execute()

export const listIdentitiesUnscoped = (db: Db, issuer: string, userIds: readonly string[]) =>
  db.selectFrom('userIdentities').selectAll().where('issuer', '=', issuer).where('userId', 'in', userIds).execute()
