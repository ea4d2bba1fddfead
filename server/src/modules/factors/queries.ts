/** All SQL of this module. What is kept of a principal is theirs alone; callers have checked who asks. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { FactorsTable, RememberedBrowsersTable } from './tables.ts'

export type FactorRow = FactorsTable

type Whose = Pick<Actor, 'id'>

/** First of all changes to what an account has: two at once wait for each other, also on two nodes. */
export const lockFactorsUnscoped = (tx: Db, { id }: Whose) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`factors ${id}`}, 0))`.execute(tx)

export const insertFactorUnscoped = async (tx: Db, factor: FactorRow): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('factors')
    .values(factor)
    .onConflict((conflict) => conflict.column('credentialId').doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Those that count, the oldest first. */
export const listFactorsUnscoped = (db: Db, { id }: Whose): Promise<FactorRow[]> =>
  db
    .selectFrom('factors')
    .selectAll()
    .where('principalId', '=', id)
    .where('confirmedAt', 'is not', null)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

/** Held until the transaction ends, so that a code that comes twice at once counts once. */
export const lockTotpUnscoped = (tx: Db, { id }: Whose) =>
  tx
    .selectFrom('factors')
    .selectAll()
    .where('principalId', '=', id)
    .where('kind', '=', 'totp')
    .where('confirmedAt', 'is not', null)
    .orderBy('id')
    .forUpdate()
    .execute()

export const lockOwnFactor = (tx: Db, actor: Whose, id: string) =>
  tx
    .selectFrom('factors')
    .selectAll()
    .where('principalId', '=', actor.id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const lockPasskeyUnscoped = (tx: Db, credentialId: string) =>
  tx.selectFrom('factors').selectAll().where('credentialId', '=', credentialId).forUpdate().executeTakeFirst()

export const updateFactorUnscoped = (tx: Db, id: string, change: Partial<FactorRow>) =>
  tx.updateTable('factors').set(change).where('id', '=', id).execute()

export const deleteFactorUnscoped = (tx: Db, id: string) => tx.deleteFrom('factors').where('id', '=', id).execute()

/** What was begun and not finished. */
export const deleteUnconfirmedUnscoped = (tx: Db, { id }: Whose) =>
  tx.deleteFrom('factors').where('principalId', '=', id).where('confirmedAt', 'is', null).execute()

export const deleteUnconfirmedBeforeUnscoped = (db: Db, limit: Date) =>
  db.deleteFrom('factors').where('confirmedAt', 'is', null).where('createdAt', '<', limit).execute()

export const listKindsUnscoped = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('factors')
    .select(['principalId', 'kind'])
    .distinct()
    .where('principalId', 'in', ids)
    .where('confirmedAt', 'is not', null)
    .orderBy('kind')
    .execute()

export const insertCodesUnscoped = (tx: Db, { id }: Whose, codes: { hashes: readonly string[]; createdAt: Date }) =>
  tx
    .insertInto('recoveryCodes')
    .values(codes.hashes.map((codeHash) => ({ principalId: id, codeHash, createdAt: codes.createdAt })))
    .execute()

export const deleteCodesUnscoped = (tx: Db, { id }: Whose) =>
  tx.deleteFrom('recoveryCodes').where('principalId', '=', id).execute()

export const countCodesUnscoped = async (db: Db, { id }: Whose): Promise<number> => {
  const { count } = await db
    .selectFrom('recoveryCodes')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('principalId', '=', id)
    .where('usedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** True for one of those who send it at the same moment. */
export const useCodeUnscoped = async (tx: Db, { id }: Whose, code: { hash: string; at: Date }): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('recoveryCodes')
    .set({ usedAt: code.at })
    .where('principalId', '=', id)
    .where('codeHash', '=', code.hash)
    .where('usedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const insertBrowserUnscoped = (db: Db, browser: RememberedBrowsersTable) =>
  db.insertInto('rememberedBrowsers').values(browser).execute()

export const findRememberedUnscoped = (db: Db, { id }: Whose, browser: { tokenHash: string; now: Date }) =>
  db
    .selectFrom('rememberedBrowsers')
    .select('method')
    .where('tokenHash', '=', browser.tokenHash)
    .where('principalId', '=', id)
    .where('expiresAt', '>', browser.now)
    .executeTakeFirst()

export const countBrowsersUnscoped = async (db: Db, { id }: Whose, now: Date): Promise<number> => {
  const { count } = await db
    .selectFrom('rememberedBrowsers')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('principalId', '=', id)
    .where('expiresAt', '>', now)
    .executeTakeFirstOrThrow()
  return count
}

export const deleteBrowsersUnscoped = (tx: Db, { id }: Whose) =>
  tx.deleteFrom('rememberedBrowsers').where('principalId', '=', id).execute()

/** True for the first. */
export const useChallengeUnscoped = async (
  tx: Db,
  challenge: { challengeHash: string; expiresAt: Date },
): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('usedPasskeyChallenges')
    .values(challenge)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export const deleteExpiredUnscoped = async (db: Db, now: Date): Promise<void> => {
  await db.deleteFrom('usedPasskeyChallenges').where('expiresAt', '<', now).execute()
  await db.deleteFrom('rememberedBrowsers').where('expiresAt', '<', now).execute()
}

/** All that is kept of a principal here. */
export const forgetUnscoped = async (tx: Db, whose: Whose): Promise<void> => {
  await lockFactorsUnscoped(tx, whose)
  await tx.deleteFrom('factors').where('principalId', '=', whose.id).execute()
  await deleteCodesUnscoped(tx, whose)
  await deleteBrowsersUnscoped(tx, whose)
}
