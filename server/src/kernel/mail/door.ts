/**
 * The one way out for mail: each is counted for who caused it and for the mailbox it goes to. Without this, one account
 * sends in our name to whom and as often as it likes.
 */
import type { Db } from '../db/database.ts'
import type { QuotaSubject, Quotas, RateQuota } from '../quotas/index.ts'
import { mailboxOf } from './mailbox.ts'

/** Who caused a mail. There is no mail without one. */
export type MailOwner =
  /** The account that the address belongs to: a code, a new password. Refused where there were too many. */
  | { kind: 'recipient' }
  /** Somebody asked for this mail now. Refused where they sent too much. */
  | { kind: 'asked'; subject: QuotaSubject }
  /** It follows from something that goes on in any case, so it waits where the tenant sent too much. */
  | { kind: 'follows'; subject: QuotaSubject }

export const byRecipient: MailOwner = { kind: 'recipient' }
export const askedBy = (subject: QuotaSubject): MailOwner => ({ kind: 'asked', subject })
export const followsFor = (subject: QuotaSubject): MailOwner => ({ kind: 'follows', subject })

const windowSec = 3600
/** A mail that would wait longer isn't sent at all. */
const maxWaitMs = 12 * 3_600_000

const ofTenant: RateQuota = {
  kind: 'rate',
  name: 'mails',
  what: 'emails',
  most: 10_000,
  unprovenMost: 60,
  per: 'scope',
  windowSec,
}
const toMailbox: RateQuota = {
  kind: 'rate',
  name: 'mails_to_address',
  what: 'emails to one address',
  most: 300,
  unprovenMost: 10,
  per: 'scope',
  windowSec,
  isPerMailbox: true,
}
const toItself: RateQuota = {
  kind: 'rate',
  name: 'mails_to_own_address',
  what: 'emails about one account',
  most: 30,
  per: 'account',
  windowSec,
  isPerMailbox: 'of everybody',
}

export interface MailDoor {
  /** Counts a mail that somebody asks for, or throws. One that follows from something is counted when it goes out. */
  pass(tx: Db, mail: { to: string; by: MailOwner }): Promise<void>
  /** Counts one that follows: the milliseconds it waits; undefined when it may not go out. */
  schedule(tx: Db, mail: { to: string; subject: QuotaSubject }): Promise<number | undefined>
}

export const createMailDoor = (quotas: Pick<Quotas, 'declare' | 'charge' | 'schedule'>): MailDoor => {
  for (const quota of [ofTenant, toMailbox, toItself]) quotas.declare(quota)
  const takingsOf = (to: string, subject: QuotaSubject) => [
    { quota: ofTenant, subject },
    { quota: toMailbox, subject, of: mailboxOf(to) },
  ]
  return {
    pass: async (tx, { to, by }) => {
      if (by.kind === 'recipient') await quotas.charge(tx, [{ quota: toItself, subject: { scopeId: mailboxOf(to) } }])
      if (by.kind === 'asked') await quotas.charge(tx, takingsOf(to, by.subject))
    },
    schedule: (tx, { to, subject }) => quotas.schedule(tx, takingsOf(to, subject), maxWaitMs),
  }
}
