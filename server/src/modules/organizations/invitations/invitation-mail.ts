/** The invitation mail, and how many of them one address may get. */
import type { Db } from '#kernel/db/database.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import { subjectOf } from '#kernel/http/quota-subject.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { compose } from '#kernel/mail/compose.ts'
import type { MailOwner } from '#kernel/mail/mail.ts'
import { mailboxOf } from '#kernel/mail/mailbox.ts'
import { plainName, words } from '#kernel/mail/words.ts'
import type { RateQuota } from '#kernel/quotas/index.ts'

const lifeMs = 7 * 86_400_000

export const invitationEnd = (sentAt: Date): Date => new Date(sentAt.getTime() + lifeMs)

const hourly = { kind: 'rate', per: 'scope', windowSec: 3600, refusal: 'too_many_requests' } as const

/** Of one organization. An account that hasn't proven its address starts slower. */
export const invitations: RateQuota = {
  ...hourly,
  name: 'invitations',
  what: 'invitations',
  most: 200,
  unprovenMost: 50,
}
/** Counted over all organizations for the recipient, so that nobody's mailbox is filled through us. */
export const invitationsToAddress: RateQuota = {
  ...hourly,
  name: 'invitations_to_address',
  what: 'invitations to one address',
  most: 5,
  isPerMailbox: 'of everybody',
}

export const limitInvitationMail = async (
  { quotas }: Pick<Kernel, 'quotas'>,
  { actor, email }: { actor: OrgActor; email: string },
): Promise<void> => {
  await quotas.take(invitations, subjectOf(actor))
  await quotas.take(invitationsToAddress, { scopeId: mailboxOf(email) })
}

export const invitationUrl = (externalUrl: string, token: string): string =>
  `${externalUrl}/accept-invite?token=${token}`

interface Letter {
  to: string
  by: MailOwner
  name: string | null
  organization: string
  invitedBy: string
  /** Undefined where people sign in through the company. */
  token: string | undefined
  /** They have an account, and join with it. */
  hasAccount: boolean
}

export const mailInvitation = (
  { mail, externalUrl }: Pick<Kernel, 'mail' | 'externalUrl'>,
  tx: Db,
  { to, by, name, organization, invitedBy, token, hasAccount }: Letter,
): Promise<string> => {
  const company = plainName(organization)
  return mail.send(tx, {
    to,
    by,
    ...compose({
      subject: words`You’re invited to join ${company}`,
      title: words`Join ${company}`,
      paragraphs: [
        name === null ? words`Hello,` : words`Hello ${plainName(name)},`,
        words`${plainName(invitedBy)} has invited you to join ${company}.`,
        ...(hasAccount ? [words`You already have an account. Sign in with it to accept the invitation.`] : []),
      ],
      action:
        token === undefined
          ? { label: 'Sign in with your company login', url: `${externalUrl}/sign-in` }
          : { label: 'Accept the invitation', url: invitationUrl(externalUrl, token) },
      footer:
        token === undefined
          ? words`If you weren’t expecting this, you can ignore this email.`
          : words`The link works once and expires in seven days. If you weren’t expecting this, you can ignore this email.`,
    }),
  })
}
