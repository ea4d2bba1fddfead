/**
 * The limit on emails of a sender. Counted are mails that the sender causes; what follows from them (the next turn, a
 * code, the finished document) is bounded by them, and by what a tenant may send at all.
 */
import { hashToken } from '#kernel/crypto/tokens.ts'
import type { Db } from '#kernel/db/database.ts'
import { nilId } from '#kernel/ids.ts'
import { mailboxOf } from '#kernel/mail/mailbox.ts'
import type { Taking } from '#kernel/quotas/index.ts'
import { findUserByEmailUnscoped } from '#modules/accounts/index.ts'
import type { SigningContext } from '../context.ts'
import { isProvenSender } from '../mails/sender-words.ts'

interface Sender {
  ownerId: string
  organizationId: string | null
}

interface Mails {
  sender: Sender
  /** One for each mail. */
  addresses: readonly string[]
  /** Nobody asked for them now, so only the addresses are spared. */
  isAutomatic?: boolean
}

/** Set where it counts for a mailbox. */
type Counted = Taking & { addresses?: readonly string[] }

/** Throws `mail_limit_reached`, and then counts nothing. */
export const countMails = async (
  { kernel, mailQuotas }: Pick<SigningContext, 'kernel' | 'mailQuotas'>,
  tx: Db,
  { sender, addresses, isAutomatic = false }: Mails,
): Promise<void> => {
  if (!kernel.mail.hasServer || addresses.length === 0) return
  const { ownerId, organizationId } = sender
  const account = { id: ownerId, isProven: await isProvenSender(tx, sender) }
  const subject = { scopeId: organizationId ?? ownerId, account }
  const times = addresses.length
  const ofSender: Counted[] = [{ quota: mailQuotas.ofSender, subject, times }]
  if (organizationId !== null) ofSender.push({ quota: mailQuotas.ofOrganization, subject, times })
  const ofMailboxes = [...Map.groupBy(addresses, mailboxOf)].flatMap(([mailbox, own]): Counted[] => {
    const counted = { of: hashToken(mailbox), times: own.length, addresses: own }
    return [
      { quota: mailQuotas.toAddress, subject, ...counted },
      { quota: mailQuotas.toAddressFromAll, subject: everybody, ...counted },
    ]
  })
  await kernel.quotas.charge(
    tx,
    [...(isAutomatic ? [] : ofSender), ...ofMailboxes],
    async ({ addresses: to }: Counted) => to !== undefined && (await areOwnAddresses(tx, sender, to)),
  )
}

const everybody = { scopeId: nilId }

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
