/** All SQL for `sessions`. */
import type { Db } from '#kernel/db/database.ts'
import { fetchPage, type Page } from '#kernel/db/paging.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { SessionsTable } from '../tables.ts'

export type SessionRow = SessionsTable

export const insertSessionUnscoped = (db: Db, session: SessionRow) =>
  db.insertInto('sessions').values(session).execute()

/** The token itself is the proof here; there is no actor yet. */
export const findLiveSessionUnscoped = (db: Db, id: string) =>
  db.selectFrom('sessions').selectAll().where('id', '=', id).where('revokedAt', 'is', null).executeTakeFirst()

export const listSessions = (db: Db, actor: Actor, now: Date) =>
  db
    .selectFrom('sessions')
    .selectAll()
    .where('principalId', '=', actor.id)
    .where('revokedAt', 'is', null)
    .where((where) => where.or([where('expiresAt', 'is', null), where('expiresAt', '>', now)]))
    .orderBy('lastUsedAt', 'desc')
    .execute()

export const revokeSession = async (db: Db, actor: Actor, change: { id: string; at: Date }): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({ revokedAt: change.at })
    .where('id', '=', change.id)
    .where('principalId', '=', actor.id)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends every login of a principal, but for the one kept. */
export const revokeSessionsUnscoped = (
  db: Db,
  principalId: string,
  { at, except }: { at: Date; except?: string | undefined },
) =>
  db
    .updateTable('sessions')
    .set({ revokedAt: at })
    .where('principalId', '=', principalId)
    .where('revokedAt', 'is', null)
    .$if(except !== undefined, (query) => query.where('id', '!=', except ?? ''))
    .execute()

/** Ends every login of everybody in an organization. */
export const revokeSessionsOfMembersUnscoped = (db: Db, organizationId: string, at: Date) =>
  db
    .updateTable('sessions')
    .set({ revokedAt: at })
    .where('principalKind', '=', 'user')
    .where('principalId', 'in', (query) =>
      query.selectFrom('users').select('users.id').where('users.organizationId', '=', organizationId),
    )
    .where('revokedAt', 'is', null)
    .execute()

/** Ends the sessions of an organization's people that began with a password here, except for one. */
export const revokePasswordSessionsUnscoped = (
  db: Db,
  organizationId: string,
  { at, except }: { at: Date; except?: string | undefined },
) =>
  db
    .updateTable('sessions')
    .set({ revokedAt: at })
    .where('principalKind', '=', 'user')
    .where('issuer', 'is', null)
    .where('principalId', 'in', (query) =>
      query.selectFrom('users').select('users.id').where('users.organizationId', '=', organizationId),
    )
    .where('revokedAt', 'is', null)
    .$if(except !== undefined, (query) => query.where('id', '!=', except ?? ''))
    .execute()

/** The person has proved in this session who they are; `hasFactor`: with what their organization asks for. */
export const noteProofUnscoped = (tx: Db, sessionId: string, { at, hasFactor }: { at: Date; hasFactor: boolean }) =>
  tx
    .updateTable('sessions')
    .set({ provedAt: at, ...(hasFactor && { needsFactor: null }) })
    .where('id', '=', sessionId)
    .execute()

export const hasSessionFromUnscoped = async (db: Db, principalId: string, ip: string): Promise<boolean> =>
  (await db
    .selectFrom('sessions')
    .select('id')
    .where('principalId', '=', principalId)
    .where('ip', '=', ip)
    .limit(1)
    .executeTakeFirst()) !== undefined

export const deleteSessionsEndedBeforeUnscoped = (db: Db, limit: Date) =>
  db
    .deleteFrom('sessions')
    .where((where) => where.or([where('expiresAt', '<', limit), where('revokedAt', '<', limit)]))
    .execute()

/** Ends the sessions that depend on a session elsewhere; without its id, all that the person has from there. */
export const revokeExternalSessionsUnscoped = (
  db: Db,
  { issuer, sessionId, userId }: { issuer: string; sessionId?: string | undefined; userId?: string | undefined },
  at: Date,
) =>
  db
    .updateTable('sessions')
    .set({ revokedAt: at })
    .where('issuer', '=', issuer)
    .where('revokedAt', 'is', null)
    .$if(sessionId !== undefined, (query) => query.where('externalSessionId', '=', sessionId ?? ''))
    .$if(userId !== undefined, (query) => query.where('principalId', '=', userId ?? ''))
    .returning('principalId')
    .execute()

/** Every login a principal has had, newest first: the sign-in history. */
export const listSignInsUnscoped = (db: Db, principalId: string, page: Page) =>
  fetchPage(db, db.selectFrom('sessions').where('principalId', '=', principalId), page, {
    select: (query) => query.selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc'),
  })

/** For a principal who is deleted. */
export const deleteSessionsUnscoped = (db: Db, principalId: string) =>
  db.deleteFrom('sessions').where('principalId', '=', principalId).execute()
