/** The invitation mail, and how many of them one address may get. */
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { compose } from '#kernel/mail/compose.ts'
import { mailboxOf } from '#kernel/mail/mailbox.ts'
import { plainName, words } from '#kernel/mail/words.ts'

const lifeMs = 7 * 86_400_000

export const invitationEnd = (sentAt: Date): Date => new Date(sentAt.getTime() + lifeMs)

const perRecipient = { max: 5, windowSec: 3600 }
const perOrganization = { max: 200, windowSec: 3600 }

/** Counted over all organizations for the recipient, so that nobody's mailbox is filled through us. */
export const limitInvitationMail = async (
  { limits }: Pick<Kernel, 'limits'>,
  { organizationId, email }: { organizationId: string; email: string },
): Promise<void> => {
  const byOrganization = await limits.take(`invitation mail of ${organizationId}`, perOrganization)
  const byRecipient = await limits.take(`invitation mail to ${mailboxOf(email)}`, perRecipient)
  const refused = [byOrganization, byRecipient].find(({ allowed }) => !allowed)
  if (refused) throw new AppError('too_many_requests', { retryAfterSec: refused.retryAfterSec })
}

export const invitationUrl = (externalUrl: string, token: string): string =>
  `${externalUrl}/accept-invite?token=${token}`

interface Letter {
  to: string
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
  { to, name, organization, invitedBy, token, hasAccount }: Letter,
): Promise<string> => {
  const company = plainName(organization)
  return mail.send(tx, {
    to,
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
