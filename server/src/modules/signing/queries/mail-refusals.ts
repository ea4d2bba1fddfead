/** All SQL for `signing_mail_refusals`. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { mailboxOf } from '#kernel/mail/mailbox.ts'
import type { MailRefusalsTable } from '../tables.ts'

export type RefusalKind = MailRefusalsTable['kind']

/** By address as it is given: which of them want no mail from this sender. */
export const listRefusalsUnscoped = async (
  db: Db,
  ownerId: string,
  emails: readonly string[],
): Promise<ReadonlyMap<string, RefusalKind>> => {
  if (emails.length === 0) return new Map()
  const { rows } = await sql<{ email: string; kind: RefusalKind }>`
    select email, kind from signing_mail_refusals
    where owner_id = ${ownerId} and email = any(${emails.map(mailboxOf)}::text[])`.execute(db)
  const kinds = new Map(rows.map(({ email, kind }) => [email, kind]))
  return new Map(
    emails.flatMap((email) => {
      const kind = kinds.get(mailboxOf(email))
      return kind === undefined ? [] : [[email, kind]]
    }),
  )
}

/** Answers whether it is new. */
export const saveRefusalUnscoped = async (db: Db, refusal: MailRefusalsTable): Promise<boolean> => {
  const { ownerId, kind, createdAt } = refusal
  const email = mailboxOf(refusal.email)
  const { rows } = await sql`
    insert into signing_mail_refusals (owner_id, email, kind, created_at)
    values (${ownerId}, ${email}, ${kind}, ${createdAt})
    on conflict (owner_id, email) do update set kind = excluded.kind, created_at = excluded.created_at
      where signing_mail_refusals.kind <> excluded.kind
    returning 1`.execute(db)
  return rows.length > 0
}

export const deleteRefusalUnscoped = async (db: Db, ownerId: string, email: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('signingMailRefusals')
    .where('ownerId', '=', ownerId)
    .where('email', '=', mailboxOf(email))
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** The new owner of somebody's documents also takes over who wants no mail about them. */
export const moveRefusalsUnscoped = async (db: Db, from: string, to: string | null): Promise<void> => {
  if (to !== null)
    await sql`insert into signing_mail_refusals (owner_id, email, kind, created_at)
      select ${to}::uuid, email, kind, created_at from signing_mail_refusals where owner_id = ${from}
      on conflict do nothing`.execute(db)
  await db.deleteFrom('signingMailRefusals').where('ownerId', '=', from).execute()
}
