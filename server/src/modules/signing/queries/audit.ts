/** All SQL for `signing_audit`, which the database lets nobody change. Callers have found the document already. */
import type { AuditEntry } from '@chancery/contract/signing/documents.ts'
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'

export const insertEntriesUnscoped = async (
  db: Db,
  documentId: string,
  entries: readonly AuditEntry[],
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

/** True when it was noted before that this person was given this file. */
export const hasFetchUnscoped = async (
  db: Db,
  { documentId, email, detail }: { documentId: string; email: string; detail: Record<string, string | boolean> },
): Promise<boolean> => {
  const { rows } = await sql`
    select 1 from signing_audit
    where document_id = ${documentId} and type = 'file_fetched' and actor_email = ${email}
      and detail @> ${JSON.stringify(detail)}::jsonb
    limit 1`.execute(db)
  return rows.length > 0
}

/** Oldest first, in the form that is hashed. */
export const listEntriesUnscoped = async (db: Db, documentId: string): Promise<AuditEntry[]> => {
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
