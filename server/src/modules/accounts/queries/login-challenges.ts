/** All SQL for `login_challenges`. The holder of a challenge id has already shown the right password. */
import type { Db } from '#kernel/db/database.ts'
import type { PrincipalKind } from '#kernel/http/actor.ts'
import type { LoginChallengesTable } from '../tables.ts'

export type ChallengeRow = LoginChallengesTable

interface Whose {
  kind: PrincipalKind
  id: string
}

const ownerColumn = { user: 'userId', admin: 'adminId' } as const

export const insertChallengeUnscoped = (db: Db, challenge: ChallengeRow) =>
  db.insertInto('loginChallenges').values(challenge).execute()

/**
 * Locks the row, so that a hundred guesses at once are counted one by one; the person's own before it, the order in
 * which all of their challenges are ended.
 */
export const lockChallengeUnscoped = async (tx: Db, id: string) => {
  await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', (challenges) => challenges.selectFrom('loginChallenges').select('userId').where('id', '=', id))
    .forUpdate()
    .execute()
  return tx.selectFrom('loginChallenges').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Whose it is, while it can be answered. */
export const findOpenChallengeUnscoped = (db: Db, id: string, now: Date) =>
  db
    .selectFrom('loginChallenges')
    .select(['userId', 'adminId'])
    .where('id', '=', id)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirst()

/** The person's own row is locked first, so that two logins at once send one mail. */
export const lockNewestChallengeUnscoped = async (tx: Db, { kind, id }: Whose) => {
  if (kind === 'user') await tx.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
  return tx
    .selectFrom('loginChallenges')
    .selectAll()
    .where(ownerColumn[kind], '=', id)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export const updateChallengeUnscoped = (db: Db, id: string, change: Partial<ChallengeRow>) =>
  db.updateTable('loginChallenges').set(change).where('id', '=', id).execute()

export const countRecentFailuresUnscoped = async (db: Db, { kind, id }: Whose, since: Date): Promise<number> => {
  const { sum } = await db
    .selectFrom('loginChallenges')
    .select((select) => select.fn.sum<string | null>('failures').as('sum'))
    .where(ownerColumn[kind], '=', id)
    .where('createdAt', '>', since)
    .executeTakeFirstOrThrow()
  return Number(sum ?? 0)
}

/** Ends what is still open; the rows stay, since wrong codes are counted over all of them. */
export const endChallengesUnscoped = (db: Db, { kind, id }: Whose, at: Date) =>
  db
    .updateTable('loginChallenges')
    .set({ usedAt: at })
    .where(ownerColumn[kind], '=', id)
    .where('usedAt', 'is', null)
    .execute()

export const deleteChallengesBeforeUnscoped = (db: Db, limit: Date) =>
  db.deleteFrom('loginChallenges').where('createdAt', '<', limit).execute()
