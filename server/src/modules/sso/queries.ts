/** All SQL of this module. Nobody is signed in yet where these are asked, except for the reports. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import type { SsoSyncReportsTable } from './tables.ts'

export type SyncReportRow = SsoSyncReportsTable

/** False when it was used before. The unique key decides between two who come at once. */
export const markUsedUnscoped = async (db: Db, use: { fingerprint: string; expiresAt: Date }): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('ssoUsed')
    .values(use)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export const forgetUsedUnscoped = (db: Db, fingerprint: string) =>
  db.deleteFrom('ssoUsed').where('fingerprint', '=', fingerprint).execute()

export const deleteUsedBeforeUnscoped = (db: Db, limit: Date) =>
  db.deleteFrom('ssoUsed').where('expiresAt', '<', limit).execute()

interface Identity {
  issuer: string
  subject: string
}

export const findProvisionedUnscoped = (db: Db, { issuer, subject }: Identity) =>
  db
    .selectFrom('ssoProvisioned')
    .selectAll()
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()

/** Which of these subjects we created there ourselves. */
export const listProvisionedUnscoped = async (
  db: Db,
  issuer: string,
  subjects: readonly string[],
): Promise<Set<string>> => {
  if (subjects.length === 0) return new Set()
  const rows = await db
    .selectFrom('ssoProvisioned')
    .select('subject')
    .where('issuer', '=', issuer)
    .where(sql<boolean>`subject = any(${subjects}::text[])`)
    .execute()
  return new Set(rows.map(({ subject }) => subject))
}

export const insertProvisionedUnscoped = (db: Db, person: Identity & { organizationId: string; createdAt: Date }) =>
  db
    .insertInto('ssoProvisioned')
    .values(person)
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export const listSuspendedUnscoped = async (db: Db, userIds: readonly string[]): Promise<Set<string>> => {
  if (userIds.length === 0) return new Set()
  const rows = await db.selectFrom('ssoSuspensions').select('userId').where('userId', 'in', userIds).execute()
  return new Set(rows.map(({ userId }) => userId))
}

export const insertSuspensionUnscoped = (db: Db, suspension: { userId: string; suspendedAt: Date }) =>
  db
    .insertInto('ssoSuspensions')
    .values(suspension)
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export const deleteSuspensionUnscoped = (db: Db, userId: string) =>
  db.deleteFrom('ssoSuspensions').where('userId', '=', userId).execute()

/** A new change makes an arrived one pending again. */
export const markChangedUnscoped = (db: Db, userId: string, changedAt: Date) =>
  db
    .insertInto('ssoPushes')
    .values({ userId, changedAt, pushedAt: null })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet({ changedAt, pushedAt: null }))
    .execute()

export const findPushUnscoped = (db: Db, userId: string) =>
  db.selectFrom('ssoPushes').selectAll().where('userId', '=', userId).executeTakeFirst()

/** Does nothing when another change came meanwhile: that one has a push of its own. */
export const markPushedUnscoped = (db: Db, push: { userId: string; changedAt: Date; pushedAt: Date }) =>
  db
    .updateTable('ssoPushes')
    .set({ pushedAt: push.pushedAt })
    .where('userId', '=', push.userId)
    .where('changedAt', '=', push.changedAt)
    .execute()

/** Whose change has not arrived, or arrived only after this moment. */
export const listPushedSinceUnscoped = async (
  db: Db,
  userIds: readonly string[],
  since: Date,
): Promise<Set<string>> => {
  if (userIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('ssoPushes')
    .select('userId')
    .where('userId', 'in', userIds)
    .where((where) => where.or([where('pushedAt', 'is', null), where('pushedAt', '>=', since)]))
    .execute()
  return new Set(rows.map(({ userId }) => userId))
}

export const insertReportUnscoped = (db: Db, report: SyncReportRow) =>
  db.insertInto('ssoSyncReports').values(report).execute()

export const updateReportUnscoped = (db: Db, id: string, change: Partial<Omit<SyncReportRow, 'id'>>) =>
  db.updateTable('ssoSyncReports').set(change).where('id', '=', id).returningAll().executeTakeFirst()

/** Newest first. */
export const listReports = (db: Db, actor: OrgActor) =>
  db
    .selectFrom('ssoSyncReports')
    .selectAll()
    .where('organizationId', '=', actor.organizationId)
    .orderBy('startedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(20)
    .execute()

/** The newest that is no dry run. */
export const findLastReportUnscoped = (db: Db, organizationId: string) =>
  db
    .selectFrom('ssoSyncReports')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('dryRun', '=', false)
    .orderBy('startedAt', 'desc')
    .executeTakeFirst()

export const deleteReportsBeforeUnscoped = (db: Db, limit: Date) =>
  db.deleteFrom('ssoSyncReports').where('startedAt', '<', limit).execute()
