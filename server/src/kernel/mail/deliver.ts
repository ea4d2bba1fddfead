/**
 * One attempt to deliver a queued mail: claim the row, talk to the mail server, settle the row.
 * A crash between the server's "250" and our settling sends the mail a second time under the same Message-ID; there is
 * no way to know which side of that line we died on.
 */
import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import { ClaimedElsewhere } from '../jobs/jobs.ts'
import type { Log } from '../log.ts'
import { type ClaimedMail, claimMail, findMail, keepMail, settleMail } from './outbox.ts'
import { MailRefused, type OutgoingMail, type Smtp } from './smtp.ts'

export interface Delivery {
  db: Db
  clock: Clock
  smtp: Smtp | undefined
  /** Opens the sealed body and addresses the mail. */
  prepare(mail: ClaimedMail): OutgoingMail
  onAttempt(outcome: 'sent' | 'failed' | 'retried'): void
}

/** Longer than the mail client's time-outs let a conversation last, so that no second worker begins one meanwhile. */
const claimMs = 90_000
export const maxAttempts = 8

/** Throws when the mail should be tried again later. */
export const deliver = async (delivery: Delivery, id: string, log: Log): Promise<void> => {
  const { db, clock, smtp } = delivery
  if (!smtp) return keepMail(db, id)
  const mail = await claimMail(db, id, claimMs)
  if (!mail) return checkUnclaimed(db, id)
  try {
    await smtp.deliver(delivery.prepare(mail))
  } catch (error) {
    return failAttempt(delivery, mail, { error, log })
  }
  await settleMail(db, mail, { status: 'sent', sentAt: clock.now(), sealedBody: null, error: null })
  delivery.onAttempt('sent')
}

/** Settled or deleted: nothing to do. Still claimed, by a worker that died perhaps: come back later. */
const checkUnclaimed = async (db: Db, id: string): Promise<void> => {
  const found = await findMail(db, id)
  if (found?.status === 'queued') throw new ClaimedElsewhere('Another worker is delivering this mail.')
}

const failAttempt = async (
  { db, onAttempt }: Delivery,
  mail: ClaimedMail,
  { error, log }: { error: unknown; log: Log },
): Promise<void> => {
  const isFinal = error instanceof MailRefused || mail.attempts >= maxAttempts
  await settleMail(db, mail, { ...(isFinal && { status: 'failed' }), error: shortReason(error) })
  onAttempt(isFinal ? 'failed' : 'retried')
  if (!isFinal) throw error
  log.error({ err: error, mailId: mail.id }, 'A mail could not be delivered.')
}

/** One line for the console. What mail servers answer may hold anything, so it is cut and cleaned. */
const shortReason = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\p{Cc}+/gu, ' ').slice(0, 300)
