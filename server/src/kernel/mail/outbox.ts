/** All SQL for `mail_outbox`. A row moves by one conditional update, so that no two workers send the same mail at once. */
import { sql } from 'kysely'
import { isAmong } from '../db/among.ts'
import type { Db } from '../db/database.ts'
import { databaseNow, leaseEnd } from '../db/leases.ts'
import { fetchPage, inOrder, type Page, type SortColumns, type SortName } from '../db/paging.ts'
import { hasText } from '../db/text-search.ts'

type Status = 'queued' | 'kept' | 'sent' | 'failed'

interface MailOutboxTable {
  id: string
  recipient: string
  subject: string
  sealedBody: string | null
  status: Status
  attempts: number
  claimedUntil: Date | null
  error: string | null
  createdAt: Date
  sentAt: Date | null
  /** When an administrator first read its text in the outbox. */
  shownAt: Date | null
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    mailOutbox: MailOutboxTable
  }
}

export interface OutboxHead {
  id: string
  to: string
  subject: string
  status: Status
  attempts: number
  error: string | null
  createdAt: Date
  sentAt: Date | null
}

const head = ['id', 'recipient as to', 'subject', 'status', 'attempts', 'error', 'createdAt', 'sentAt'] as const

type NewMail = Pick<MailOutboxTable, 'id' | 'recipient' | 'subject' | 'sealedBody' | 'status' | 'createdAt'>

export const insertMail = async (db: Db, mail: NewMail): Promise<void> => {
  await db
    .insertInto('mailOutbox')
    .values({ ...mail, attempts: 0, claimedUntil: null, error: null, sentAt: null, shownAt: null })
    .execute()
}

const sortColumns: SortColumns<'created' | 'to' | 'subject' | 'status'> = {
  created: sql.ref('createdAt'),
  to: sql.ref('recipient'),
  subject: sql`lower(subject)`,
  status: sql.ref('status'),
}

export interface OutboxFilter extends Page {
  search?: string | undefined
  sort?: SortName<keyof typeof sortColumns> | undefined
}

const trigrams = sql`trigrams('', recipient || E'\\n' || subject)`

/** Newest first unless sorted; the search looks at recipient and subject. */
export const listMails = (db: Db, filter: OutboxFilter) => {
  const { search, sort = '-created' } = filter
  return fetchPage(db, db.selectFrom('mailOutbox'), filter, {
    select: (query) => inOrder(query.select(head), { sort, columns: sortColumns }),
    search: search ? hasText(search, { columns: ['recipient', 'subject'], trigrams }) : undefined,
  })
}

export const findMail = (db: Db, id: string): Promise<(OutboxHead & { sealedBody: string | null }) | undefined> =>
  db
    .selectFrom('mailOutbox')
    .select([...head, 'sealedBody'])
    .where('id', '=', id)
    .executeTakeFirst()

export const listStatusesUnscoped = async (db: Db, ids: readonly string[]) =>
  ids.length === 0
    ? []
    : db.selectFrom('mailOutbox').select(['id', 'status', 'error']).where(isAmong('id', ids)).execute()

/** Before any attempt. */
export const refuseMail = (db: Db, id: string, error: string) =>
  db
    .updateTable('mailOutbox')
    .set({ status: 'failed', error })
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .where('attempts', '=', 0)
    .execute()

/** The first time counts. */
export const noteShown = (db: Db, id: string, at: Date) =>
  db.updateTable('mailOutbox').set({ shownAt: at }).where('id', '=', id).where('shownAt', 'is', null).execute()

/** A mail that is being delivered counts: its reader may be faster than our note that the mail server took it. */
export const findSeenOnlyByRecipient = (db: Db, { id, to }: { id: string; to: string }) =>
  db
    .selectFrom('mailOutbox')
    .select('id')
    .where('id', '=', id)
    .where('recipient', '=', to)
    .where('shownAt', 'is', null)
    .where((where) =>
      where.or([where('status', '=', 'sent'), where.and([where('status', '=', 'queued'), where('attempts', '>', 0)])]),
    )
    .executeTakeFirst()

export interface ClaimedMail {
  id: string
  recipient: string
  subject: string
  sealedBody: string | null
  /** This claim's number: the worker that settles the mail must still hold it. */
  attempts: number
}

/** Takes the mail for one attempt; misses when it is settled, or claimed by somebody else. */
export const claimMail = (db: Db, id: string, claimMs: number): Promise<ClaimedMail | undefined> =>
  db
    .updateTable('mailOutbox')
    .set({ attempts: sql`attempts + 1`, claimedUntil: leaseEnd(claimMs) })
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .where((where) => where.or([where('claimedUntil', 'is', null), where('claimedUntil', '<=', databaseNow)]))
    .returning(['id', 'recipient', 'subject', 'sealedBody', 'attempts'])
    .executeTakeFirst()

type Outcome = Partial<Pick<MailOutboxTable, 'status' | 'error' | 'sentAt' | 'sealedBody'>>

export const settleMail = async (db: Db, { id, attempts }: ClaimedMail, outcome: Outcome): Promise<void> => {
  await db
    .updateTable('mailOutbox')
    .set({ ...outcome, claimedUntil: null })
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .where('attempts', '=', attempts)
    .execute()
}

/** Keeps a mail that waits for a mail server which is no longer configured. */
export const keepMail = async (db: Db, id: string): Promise<void> => {
  await db
    .updateTable('mailOutbox')
    .set({ status: 'kept' })
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .execute()
}

export const deleteMailsBefore = async (db: Db, before: Date): Promise<void> => {
  await db.deleteFrom('mailOutbox').where('createdAt', '<', before).execute()
}

/** A mail whose job was lost to the dead letters would otherwise wait for ever. */
export const failMailsQueuedBefore = async (db: Db, before: Date): Promise<void> => {
  await db
    .updateTable('mailOutbox')
    .set({ status: 'failed', error: 'Not delivered within a day.' })
    .where('status', '=', 'queued')
    .where('createdAt', '<', before)
    .execute()
}
