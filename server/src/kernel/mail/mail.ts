/**
 * Mail. Sending means writing to the outbox in the caller's transaction; a job delivers it afterwards.
 * Without a mail server the outbox keeps it, and the platform admin reads it in the console.
 */
import { z } from 'zod'
import type { Clock } from '../clock.ts'
import type { Sealer } from '../crypto/sealer.ts'
import type { Db } from '../db/database.ts'
import { AppError } from '../errors.ts'
import { type Ids, isUuid } from '../ids.ts'
import { defineJob, type JobDefinition, type Jobs } from '../jobs/jobs.ts'
import type { Log } from '../log.ts'
import { type Delivery, deliver, maxAttempts } from './deliver.ts'
import {
  type ClaimedMail,
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
import { createSmtp, type OutgoingMail, type SmtpServer } from './smtp.ts'

export type { OutboxHead } from './outbox.ts'

/** A mail that was kept for want of a mail server isn't sent later, when there is one. */
export const isLost = ({ status }: Pick<OutboxHead, 'status'>): boolean => status === 'failed' || status === 'kept'

interface Message {
  to: string
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
  /** Part of the caller's transaction: no commit, no mail. Answers the mail's id. */
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

interface Options {
  db: Db
  sealer: Pick<Sealer, 'seal' | 'open'>
  clock: Clock
  ids: Ids
  jobs: Pick<Jobs, 'enqueue'>
  log: Log
  /** Undefined: mail is kept in the outbox. */
  smtp: SmtpServer | undefined
  /** The sender of every mail, as `Name <address>`. */
  from: string
  /** The wait before the first retry; each further one is twice as long. */
  retryDelaySec?: number
}

const dayMs = 86_400_000
const Body = z.object({ text: z.string(), html: z.string().optional() })
const contextOf = (id: string): string => `mail_outbox:${id}`

export const createMail = (options: Options): Mail => {
  const { sealer, clock, ids, jobs, log, smtp } = options
  if (!smtp) log.warn('SMTP_HOST is not set: mail is kept in the outbox, where the platform admin can read it.')
  const deliverJob = createDeliverJob(options)

  return {
    jobs: [deliverJob, createCleanUpJob(options)],
    hasServer: smtp !== undefined,

    async send(db, message) {
      const { to, subject, ...body } = message
      requireAddressee(to, subject)
      const id = ids.next()
      const sealedBody = sealer.seal(JSON.stringify(body), contextOf(id))
      const status = smtp ? 'queued' : 'kept'
      await insertMail(db, { id, recipient: to, subject, sealedBody, status, createdAt: clock.now() })
      if (smtp) await jobs.enqueue(db, deliverJob, { id })
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

const createDeliverJob = ({
  db,
  sealer,
  clock,
  smtp,
  from,
  retryDelaySec = 10,
}: Options): JobDefinition<{ id: string }> => {
  const delivery: Delivery = {
    db,
    clock,
    smtp: smtp && createSmtp(smtp),
    prepare: (mail) => ({ ...addressed(mail, from), ...openBody(sealer, mail.id, mail.sealedBody ?? '') }),
  }
  return defineJob({
    name: 'mail.deliver',
    data: z.object({ id: z.uuid() }),
    concurrency: 4,
    // Some more than a mail may have, since an attempt that finds the mail claimed delivers nothing.
    retryLimit: maxAttempts + 4,
    retryDelaySec,
    expireInSec: 120,
    handle: ({ id }, { log }) => deliver(delivery, id, log),
  })
}

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

/** The Message-ID is the row's: should a crash send a mail twice, the receiving side sees that it is one. */
const addressed = ({ id, recipient, subject }: ClaimedMail, from: string): Omit<OutgoingMail, 'text'> => {
  const domain = from.match(/@([\w.-]+)/)?.[1] ?? 'localhost'
  return { messageId: `<${id}@${domain}>`, from, to: recipient, subject }
}

const openBody = (sealer: Options['sealer'], id: string, sealed: string): z.infer<typeof Body> =>
  Body.parse(JSON.parse(sealer.open(sealed, contextOf(id))))

/** One address and one line. A line break would let the sender write headers of their own. */
const requireAddressee = (to: string, subject: string): void => {
  if (!z.email().max(254).safeParse(to).success)
    throw new AppError('invalid_request', { detail: 'A mail goes to exactly one valid address.' })
  if (/\p{Cc}/u.test(subject) || subject.length > 300)
    throw new AppError('invalid_request', { detail: 'The subject of a mail is one short line.' })
}
