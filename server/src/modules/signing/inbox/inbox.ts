/**
 * Documents that wait for a signed-in person. Being signed in with a verified address proves at least as much as a link
 * that was mailed to it; where the owner asks for an emailed code, the code is still asked for.
 */
import { AppError } from '#kernel/errors.ts'
import { requireSession } from '#kernel/http/access.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { SigningContext } from '../context.ts'
import { createAccountLink } from '../links.ts'
import { lockDocumentUnscoped } from '../queries/documents.ts'
import { findInInbox, listInbox } from '../queries/inbox.ts'

export const readInbox = async ({ kernel: { db, clock } }: SigningContext, actor: Actor) => {
  const emailVerified = actor.emailVerified === true
  const rows = emailVerified ? await listInbox(db, actor, clock.now()) : []
  return {
    emailVerified,
    data: rows.map(({ id, role, notifiedAt, title, ownerName, emailOtp, expiresAt, updatedAt }) => ({
      recipientId: id,
      title: emailOtp ? null : title,
      sender: ownerName,
      role,
      askedAt: (notifiedAt ?? updatedAt).toISOString(),
      expiresAt: expiresAt?.toISOString() ?? null,
    })),
  }
}

/** Makes a link for this person alone, which ends after some hours. A key can't sign for a person. */
export const openFromInbox = async (context: SigningContext, actor: Actor, recipientId: string) => {
  const { db, clock } = context.kernel
  requireSession(actor, "Sign in to open documents. An API key can't sign for a person.")
  if (actor.emailVerified !== true) throw new AppError('email_not_verified')
  const find = (on: typeof db) => findInInbox(on, actor, { recipientId, now: clock.now() })
  const found = await find(db)
  if (!found) throw new AppError('recipient_not_found')
  return db.transaction().execute(async (tx) => {
    await lockDocumentUnscoped(tx, found.documentId)
    // Under the lock: the recipient may have been replaced, or the document cancelled, a moment ago.
    if (!(await find(tx))) throw new AppError('recipient_not_found')
    const { path, expiresAt } = await createAccountLink(context, tx, { recipientId, userId: actor.id })
    return { path, expiresAt: expiresAt.toISOString() }
  })
}
