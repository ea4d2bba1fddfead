/**
 * The limit on emails of a sender. Counted for the sender, their organization, and each address, in the database: the
 * same for all nodes, and undone with the transaction that would have sent the mails. Counted are mails that the sender
 * causes; what follows from them (the next turn, a code, the finished document) is bounded by them.
 */
import { hashToken } from '#kernel/crypto/tokens.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import { type Rate, spend } from '#kernel/limits/gcra.ts'
import { mailboxOf } from '#kernel/mail/mailbox.ts'
import { findUserByEmailUnscoped } from '#modules/accounts/index.ts'
import type { SigningContext } from '../context.ts'
import { isProvenSender } from '../mails/sender-words.ts'
import { lockAllowancesUnscoped, saveAllowancesUnscoped } from '../queries/mail-allowances.ts'

interface Sender {
  ownerId: string
  organizationId: string | null
}

interface Count {
  key: string
  rate: Rate
  cost: number
  /** The refusal's text. */
  detail: string
  /** Set where it counts for a mailbox. */
  addresses?: readonly string[]
}

const windowSec = 3600
/** Of what others may: an account whose address isn't proven. */
const unprovenShare = 0.5
/** From all senders together. */
const addressMax = 60

interface Mails {
  sender: Sender
  /** One for each mail. */
  addresses: readonly string[]
  /** Nobody asked for them now, so only the addresses are spared. */
  isAutomatic?: boolean
}

/** Throws `mail_limit_reached`, and then counts nothing. */
export const countMails = async (
  { kernel }: Pick<SigningContext, 'kernel'>,
  tx: Db,
  { sender, addresses, isAutomatic = false }: Mails,
): Promise<void> => {
  if (!kernel.mail.hasServer || addresses.length === 0) return
  const isProven = await isProvenSender(tx, sender)
  const byMailbox = Map.groupBy(addresses, mailboxOf)
  const counts = [
    ...(isAutomatic ? [] : countsOfSender(kernel.config, { sender, isProven, cost: addresses.length })),
    ...[...byMailbox].flatMap(([mailbox, ofIt]) =>
      countsOfMailbox(kernel.config, { sender, isProven, mailbox, addresses: ofIt }),
    ),
  ]
  const paidOffAtUs = await lockAllowancesUnscoped(
    tx,
    counts.map(({ key }) => key),
  )
  const nowUs = kernel.clock.now().getTime() * 1000
  const spent = new Map<string, number>()
  for (const count of counts) {
    const result = spendAll(count, paidOffAtUs.get(count.key) ?? 0, nowUs)
    if (result.isAllowed) spent.set(count.key, result.paidOffAtUs)
    else if (count.addresses === undefined || !(await areOwnAddresses(tx, sender, count.addresses)))
      throw new AppError('mail_limit_reached', { detail: count.detail, retryAfterSec: result.retryAfterSec })
  }
  await saveAllowancesUnscoped(tx, spent)
}

type Config = SigningContext['kernel']['config']

const countsOfSender = (
  config: Config,
  { sender, isProven, cost }: { sender: Sender; isProven: boolean; cost: number },
): Count[] => {
  const max = isProven ? config.SIGNING_MAILS_PER_HOUR : config.SIGNING_UNPROVEN_MAILS_PER_HOUR
  const advice = isProven ? '' : ' Confirm your email address to send more.'
  const own = {
    key: `sender ${sender.ownerId}`,
    rate: { max, windowSec },
    cost,
    detail: `You can send ${max} emails to recipients in an hour.${advice}`,
  }
  if (sender.organizationId === null) return [own]
  const most = config.SIGNING_ORGANIZATION_MAILS_PER_HOUR
  return [
    own,
    {
      key: `organization ${sender.organizationId}`,
      rate: { max: most, windowSec },
      cost,
      detail: `Your organization can send ${most} emails to recipients in an hour.`,
    },
  ]
}

const countsOfMailbox = (
  { SIGNING_ADDRESS_MAILS_PER_HOUR: most }: Config,
  {
    sender,
    isProven,
    mailbox,
    addresses,
  }: Pick<Mails, 'sender' | 'addresses'> & { isProven: boolean; mailbox: string },
): Count[] => {
  const max = isProven ? most : Math.max(1, Math.floor(most * unprovenShare))
  const [to, cost] = [hashToken(mailbox), addresses.length]
  const detail = `${mailbox} gets at most ${max} emails from you in an hour.`
  const fromAll = `${mailbox} gets too many emails. Try again later.`
  return [
    { key: `address ${sender.ownerId} ${to}`, rate: { max, windowSec }, cost, detail, addresses },
    { key: `address ${to}`, rate: { max: Math.max(addressMax, most), windowSec }, cost, detail: fromAll, addresses },
  ]
}

type Spent = { isAllowed: true; paidOffAtUs: number } | { isAllowed: false; retryAfterSec: number }

const spendAll = ({ rate, cost }: Count, paidOffAtUs: number, nowUs: number): Spent => {
  let paid = paidOffAtUs
  for (let mail = 0; mail < cost; mail += 1) {
    const { allowed, retryAfterUs, paidOffAtUs: next } = spend(paid, nowUs, rate)
    // All together or none: what fits now is left for others.
    if (!allowed) return { isAllowed: false, retryAfterSec: Math.ceil(retryAfterUs / 1_000_000) }
    paid = next
  }
  return { isAllowed: true, paidOffAtUs: paid }
}

const areOwnAddresses = async (tx: Db, sender: Sender, addresses: readonly string[]): Promise<boolean> => {
  for (const address of new Set(addresses)) if (!(await isOwnAddress(tx, sender, address))) return false
  return true
}

/** Colleagues and the sender: an address in one's own house may be the recipient of every document. */
const isOwnAddress = async (tx: Db, { ownerId, organizationId }: Sender, address: string): Promise<boolean> => {
  const user = await findUserByEmailUnscoped(tx, address)
  if (!user || user.emailProvenAt === null) return false
  return user.id === ownerId || (organizationId !== null && user.organizationId === organizationId)
}
