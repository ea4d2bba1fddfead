/** All SQL for `invitations`. The link's token is kept as a hash. */
import { type ExpressionBuilder, sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { fetchPage, type Page, readWhole } from '#kernel/db/paging.ts'
import type { Tables } from '#kernel/db/tables.ts'
import { hasText } from '#kernel/db/text-search.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import type { InvitationsTable } from '../tables.ts'

export type InvitationRow = InvitationsTable

/** False when the address has an open invitation of this organization already. An expired one gives way. */
export const insertInvitationUnscoped = async (db: Db, invitation: InvitationRow): Promise<boolean> => {
  await db
    .deleteFrom('invitations')
    .where('organizationId', '=', invitation.organizationId)
    .where('email', '=', invitation.email)
    .where('expiresAt', '<=', invitation.createdAt)
    .execute()
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('invitations')
    .values(invitation)
    .onConflict((conflict) => conflict.columns(['organizationId', 'email']).doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

const matching = (db: Db, actor: OrgActor, search: string | undefined) =>
  db
    .selectFrom('invitations')
    .where('organizationId', '=', actor.organizationId)
    .$if(search !== undefined, (query) => query.where(hasText(search ?? '', { columns: ['email'] }).byReading))

interface InvitationPage {
  page: Page
  search?: string | undefined
}

/** Newest first, and how many match. Expired ones too: they can be sent again. */
export const listInvitations = (db: Db, actor: OrgActor, { page, search }: InvitationPage) =>
  fetchPage(db, matching(db, actor, search), page, {
    select: (query) => query.selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc'),
  })

export const countInvitations = async (db: Db, actor: OrgActor, search: string | undefined): Promise<number> => {
  const count = matching(db, actor, search).select((select) => select.fn.countAll<number>().as('count'))
  return (await count.executeTakeFirstOrThrow()).count
}

/** All of them in the same order, in portions. */
export const readInvitations = (
  db: Db,
  actor: OrgActor,
  search: string | undefined,
): AsyncGenerator<InvitationRow[], void> =>
  readWhole(matching(db, actor, search), {
    select: (query) => query.selectAll(),
    sort: '-created',
    columns: { created: sql.ref('createdAt') },
  })

const invitationOf = (db: Db, actor: OrgActor, id: string) =>
  db.selectFrom('invitations').selectAll().where('id', '=', id).where('organizationId', '=', actor.organizationId)

export const findInvitation = (db: Db, actor: OrgActor, id: string) => invitationOf(db, actor, id).executeTakeFirst()

export const lockInvitation = (db: Db, actor: OrgActor, id: string) =>
  invitationOf(db, actor, id).forUpdate().executeTakeFirst()

export const updateInvitationUnscoped = (
  db: Db,
  id: string,
  change: Partial<Pick<InvitationRow, 'tokenHash' | 'copiedTokenHash' | 'mailSent' | 'mailId' | 'expiresAt'>>,
) => db.updateTable('invitations').set(change).where('id', '=', id).execute()

export const deleteInvitation = (db: Db, actor: OrgActor, id: string) =>
  db
    .deleteFrom('invitations')
    .where('id', '=', id)
    .where('organizationId', '=', actor.organizationId)
    .returningAll()
    .executeTakeFirst()

const hasToken = (tokenHash: string) => (where: ExpressionBuilder<Tables, 'invitations'>) =>
  where.or([where('tokenHash', '=', tokenHash), where('copiedTokenHash', '=', tokenHash)])

/** The token is the proof here; there is no actor yet. */
export const findInvitationByTokenUnscoped = (db: Db, tokenHash: string, now: Date) =>
  db.selectFrom('invitations').selectAll().where(hasToken(tokenHash)).where('expiresAt', '>', now).executeTakeFirst()

/** Uses the token up in one statement: when two requests race, one gets the row. */
export const takeInvitationByTokenUnscoped = (db: Db, tokenHash: string, now: Date) =>
  db.deleteFrom('invitations').where(hasToken(tokenHash)).where('expiresAt', '>', now).returningAll().executeTakeFirst()

/** For a person who joins through the company's own sign-in: their invitation, once. */
export const takeInvitationByAddressUnscoped = (
  db: Db,
  { organizationId, email, now }: { organizationId: string; email: string; now: Date },
) =>
  db
    .deleteFrom('invitations')
    .where('organizationId', '=', organizationId)
    .where('email', '=', email)
    .where('expiresAt', '>', now)
    .returningAll()
    .executeTakeFirst()

export const countOpenInvitationsUnscoped = async (db: Db, organizationId: string, now: Date): Promise<number> => {
  const { count } = await db
    .selectFrom('invitations')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('organizationId', '=', organizationId)
    .where('expiresAt', '>', now)
    .executeTakeFirstOrThrow()
  return count
}
