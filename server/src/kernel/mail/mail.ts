/**
 * Mail. Sending means writing to the outbox in the caller's transaction; a job delivers it afterwards.
 * Without a mail server the outbox keeps it, and the platform admin reads it in the console.
 */
import { z } from 'zod'
import type { Db } from '../db/database.ts'
import { AppError } from '../errors.ts'
import { type Ids, isUuid } from '../ids.ts'
import { defineJob, type JobDefinition } from '../jobs/jobs.ts'
import type { Log } from '../log.ts'
import type { Quotas } from '../quotas/index.ts'
import { contextOf, createDeliverJob, type DeliverOptions, openBody } from './deliver-job.ts'
import { createMailDoor, type MailOwner } from './door.ts'
import {
  deleteMailsBefore,
  failMailsQueuedBefore,
  findMail,
  findSeenOnlyByRecipient,
  insertMail,
  listMails,
  listStatusesUnscoped,
  noteShown,
  type OutboxFilter,
  type OutboxHead,
} from './outbox.ts'

export { askedBy, byRecipient, followsFor, type MailOwner } from './door.ts'
export type { OutboxHead } from './outbox.ts'

/** A mail that was kept isn't sent later, when there is a mail server. */
export const isLost = ({ status }: Pick<OutboxHead, 'status'>): boolean => status === 'failed' || status === 'kept'

interface Message {
  to: string
  /** In whose name it is sent, and counted. */
  by: MailOwner
  subject: string
  text: string
  html?: string
}

/** `text` is null once a mail server has taken the mail: delivered links and codes are not kept. */
export interface OutboxMail extends OutboxHead {
  text: string | null
}

export interface Mail {
  /** True when mails leave the server; otherwise a platform admin reads them in the outbox. */
  readonly hasServer: boolean
  /**
   * Part of the caller's transaction: no commit, no mail. Answers the mail's id. Throws `quota_exceeded` where its owner
   * sent too many.
   */
  send(db: Db, message: Message): Promise<string>
  listOutbox(db: Db, filter: OutboxFilter): Promise<{ items: OutboxHead[]; total: number }>
  getOutboxMail(db: Db, id: string): Promise<OutboxMail>
  /** The states of these mails, as far as they are still kept. */
  listStatusesUnscoped(db: Db, ids: readonly string[]): Promise<Pick<OutboxHead, 'id' | 'status' | 'error'>[]>
  /**
   * True for a mail that can't have reached anybody: there is no mail server or was none then, or delivery has failed.
   */
  isUndelivered(db: Db, id: string | null): Promise<boolean>
  /**
   * True when the content can be known only from the mailbox of this address: the mail went there, and nobody read it
   * here.
   */
  hasReachedOnly(db: Db, mail: { id: string | null; to: string }): Promise<boolean>
  readonly jobs: readonly JobDefinition[]
}

interface Options extends DeliverOptions {
  ids: Ids
  log: Log
  quotas: Pick<Quotas, 'declare' | 'charge' | 'schedule'>
}

const dayMs = 86_400_000

export const createMail = (options: Options): Mail => {
  const { sealer, clock, ids, jobs, log, smtp } = options
  const door = createMailDoor(options.quotas)
  if (!smtp) log.warn('SMTP_HOST is not set: mail is kept in the outbox, where the platform admin can read it.')
  const deliverJob = createDeliverJob(options, door)

  return {
    jobs: [deliverJob, createCleanUpJob(options)],
    hasServer: smtp !== undefined,

    async send(db, message) {
      const { to, by, subject, ...body } = message
      requireAddressee(to, subject)
      const id = ids.next()
      const sealedBody = sealer.seal(JSON.stringify(body), contextOf(id))
      const status = smtp && !isOfDemo(to) ? 'queued' : 'kept'
      await within(db, async (tx) => {
        await door.pass(tx, { to, by })
        await insertMail(tx, { id, recipient: to, subject, sealedBody, status, createdAt: clock.now() })
        if (status === 'queued')
          await jobs.enqueue(tx, deliverJob, { id, ...(by.kind === 'follows' && { uncounted: by.subject }) })
      })
      return id
    },

    listOutbox: listMails,
    listStatusesUnscoped,

    async isUndelivered(db, id) {
      if (!smtp) return true
      const [found] = await listStatusesUnscoped(db, id === null ? [] : [id])
      return found !== undefined && isLost(found)
    },

    hasReachedOnly: async (db, { id, to }) =>
      id !== null && (await findSeenOnlyByRecipient(db, { id, to })) !== undefined,

    async getOutboxMail(db, id) {
      const found = isUuid(id) ? await findMail(db, id) : undefined
      if (!found) throw new AppError('mail_not_found')
      const { sealedBody, ...head } = found
      if (sealedBody === null) return { ...head, text: null }
      await noteShown(db, id, clock.now())
      return { ...head, text: openBody(sealer, id, sealedBody).text }
    },
  }
}

const within = (db: Db, work: (tx: Db) => Promise<void>): Promise<void> =>
  db.isTransaction ? work(db) : db.transaction().execute(work)

const createCleanUpJob = ({ db, clock }: Options): JobDefinition =>
  defineJob({
    name: 'mail.clean-up',
    data: z.object({}),
    timetable: { cron: '41 3 * * *', data: {} },
    handle: async () => {
      const nowMs = clock.now().getTime()
      await deleteMailsBefore(db, new Date(nowMs - 30 * dayMs))
      await failMailsQueuedBefore(db, new Date(nowMs - dayMs))
    },
  })

/** The addresses of `chancery demo`, in a domain that nobody has (RFC 2606). */
const isOfDemo = (to: string): boolean => to.toLowerCase().endsWith('.demo.example')

/** One address and one line. A line break would let the sender write headers of their own. */
const requireAddressee = (to: string, subject: string): void => {
  if (!z.email().max(254).safeParse(to).success)
    throw new AppError('invalid_request', { detail: 'A mail goes to exactly one valid address.' })
  if (/\p{Cc}/u.test(subject) || subject.length > 300)
    throw new AppError('invalid_request', { detail: 'The subject of a mail is one short line.' })
}
