/** Documents that wait for a person to sign, found by their email address. */
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'

const mostListed = 100

const waiting = (db: Db, { email }: Pick<Actor, 'email'>, now: Date) =>
  db
    .selectFrom('signingRecipients as r')
    .innerJoin('signingDocuments as d', 'd.id', 'r.documentId')
    .where('r.email', '=', email)
    .where('r.state', 'in', ['NOTIFIED', 'OPENED'])
    .where('r.role', 'in', ['SIGNER', 'APPROVER'])
    .where('d.state', '=', 'SENT')
    .where((row) => row.or([row('d.expiresAt', 'is', null), row('d.expiresAt', '>', now)]))

export const listInbox = (db: Db, actor: Actor, now: Date) =>
  waiting(db, actor, now)
    .select(['r.id', 'r.role', 'r.notifiedAt', 'd.title', 'd.ownerName', 'd.emailOtp', 'd.expiresAt', 'd.updatedAt'])
    .orderBy('r.notifiedAt')
    .orderBy('r.id')
    .limit(mostListed)
    .execute()

/** The document that this recipient, who is the actor, has to sign. */
export const findInInbox = (db: Db, actor: Actor, { recipientId, now }: { recipientId: string; now: Date }) =>
  waiting(db, actor, now).select('r.documentId').where('r.id', '=', recipientId).executeTakeFirst()
