/** The job that delivers a queued mail. What follows from a tenant's work is counted here, and waits if it must. */
import { z } from 'zod'
import type { Clock } from '../clock.ts'
import { storedSeal } from '../crypto/seal-context.ts'
import type { Sealer } from '../crypto/sealer.ts'
import type { Db } from '../db/database.ts'
import { defineJob, type JobDefinition, type Jobs } from '../jobs/jobs.ts'
import { parseOwn } from '../json/parse-own.ts'
import type { Metrics } from '../metrics/index.ts'
import type { QuotaSubject } from '../quotas/index.ts'
import { type Delivery, deliver, maxAttempts } from './deliver.ts'
import type { MailDoor } from './door.ts'
import { type ClaimedMail, findMail, refuseMail } from './outbox.ts'
import { createSmtp, type OutgoingMail, type SmtpServer } from './smtp.ts'

export interface DeliverOptions {
  db: Db
  sealer: Pick<Sealer, 'seal' | 'open'>
  clock: Clock
  jobs: Pick<Jobs, 'enqueue'>
  metrics: Pick<Metrics, 'counter'>
  /** Undefined: mail is kept in the outbox. */
  smtp: SmtpServer | undefined
  /** The sender of every mail, as `Name <address>`. */
  from: string
  /** The wait before the first retry; each further one is twice as long. */
  retryDelaySec?: number
}

const Body = z.object({ text: z.string(), html: z.string().optional() })
export const contextOf = storedSeal({
  purpose: 'mail_outbox',
  table: 'mail_outbox',
  columns: ['sealed_body'],
  by: ['id'],
})

/** In whose name it is sent, while that hasn't been counted. */
const Uncounted = z.object({
  scopeId: z.string(),
  account: z.object({ id: z.string(), isProven: z.boolean() }).optional(),
})
const Delivering = z.object({ id: z.uuid(), uncounted: Uncounted.optional() })
type DeliverJob = JobDefinition<z.infer<typeof Delivering>>

export const createDeliverJob = (options: DeliverOptions, door: MailDoor): DeliverJob => {
  const { db, sealer, clock, smtp, from, jobs, metrics, retryDelaySec = 10 } = options
  const attempts = metrics.counter({
    name: 'chancery_mails_total',
    help: 'Attempts to hand a mail to the mail server, by outcome.',
    labels: ['outcome'],
  })
  const delivery: Delivery = {
    db,
    clock,
    smtp: smtp && createSmtp(smtp),
    prepare: (mail) => ({ ...addressed(mail, from), ...openBody(sealer, mail.id, mail.sealedBody ?? '') }),
    onAttempt: (outcome) => attempts.of(outcome).add(),
  }
  const job: DeliverJob = defineJob({
    name: 'mail.deliver',
    data: Delivering,
    concurrency: 4,
    // Some more than a mail may have, since an attempt that finds the mail claimed delivers nothing.
    retryLimit: maxAttempts + 4,
    retryDelaySec,
    expireInSec: 120,
    handle: async ({ id, uncounted }, { log, attempt }) => {
      const isCounted = !uncounted || attempt > 1 || (await mayGoNow(id, uncounted))
      if (isCounted) await deliver(delivery, id, log)
    },
  })
  /** In a transaction of its own, so that nothing else waits for a tenant's count. */
  const mayGoNow = (id: string, subject: QuotaSubject): Promise<boolean> =>
    db.transaction().execute(async (tx) => {
      const mail = await findMail(tx, id)
      if (!mail) return false
      const waitMs = await door.schedule(tx, { to: mail.to, subject })
      if (waitMs === undefined) await refuseMail(tx, id, tooMany)
      if (!waitMs) return waitMs === 0
      await jobs.enqueue(tx, job, { id }, { startAfter: new Date(clock.now().getTime() + waitMs) })
      return false
    })
  return job
}

const tooMany = 'Not sent: too many emails in the name of one tenant.'

/** The Message-ID is the row's: should a crash send a mail twice, the receiving side sees that it is one. */
const addressed = ({ id, recipient, subject }: ClaimedMail, from: string): Omit<OutgoingMail, 'text'> => {
  const domain = from.match(/@([\w.-]+)/)?.[1] ?? 'localhost'
  return { messageId: `<${id}@${domain}>`, from, to: recipient, subject }
}

export const openBody = (sealer: DeliverOptions['sealer'], id: string, sealed: string): z.infer<typeof Body> =>
  Body.parse(parseOwn(sealer.open(sealed, contextOf(id))))
