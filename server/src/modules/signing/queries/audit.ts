/** All SQL for `signing_audit`, which the database lets nobody change. Callers have found the document already. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { HashedEntry } from '#modules/pdf/index.ts'

export const insertEntriesUnscoped = async (
  db: Db,
  documentId: string,
  entries: readonly HashedEntry[],
): Promise<void> => {
  await db
    .insertInto('signingAudit')
    .values(
      entries.map(({ actor, at, ...entry }) => ({
        ...entry,
        documentId,
        at: new Date(at),
        actorType: actor.type,
        actorName: actor.name,
        actorEmail: actor.email,
      })),
    )
    .execute()
}

/** True when something was noted before of a recipient. */
export const hasEntryUnscoped = async (
  db: Db,
  { documentId, type, recipientId }: { documentId: string; type: string; recipientId: string },
): Promise<boolean> => {
  const { rows } = await sql`
    select 1 from signing_audit
    where document_id = ${documentId} and type = ${type} and detail ->> 'recipientId' = ${recipientId}
    limit 1`.execute(db)
  return rows.length > 0
}

/** Oldest first, in the form that is hashed. */
export const listEntriesUnscoped = async (db: Db, documentId: string): Promise<HashedEntry[]> => {
  const rows = await db
    .selectFrom('signingAudit')
    .selectAll()
    .where('documentId', '=', documentId)
    .orderBy('seq')
    .execute()
  return rows.map(({ seq, type, at, actorType, actorName, actorEmail, ip, userAgent, detail, prevHash, hash }) => ({
    seq,
    type,
    at: at.toISOString(),
    actor: { type: actorType, name: actorName, email: actorEmail },
    ip,
    userAgent,
    detail,
    prevHash,
    hash,
  }))
}
