/**
 * Asking for a reset does the same for every address: it queues a job. Whether there is an account shows only in that
 * person's mailbox.
 */
import { z } from 'zod'
import { hashToken, randomToken } from '#kernel/crypto/tokens.ts'
import { defineJob, type JobDefinition } from '#kernel/jobs/jobs.ts'
import { compose } from '#kernel/mail/compose.ts'
import { byRecipient } from '#kernel/mail/mail.ts'
import { words } from '#kernel/mail/words.ts'
import type { AccountsContext } from '../context.ts'
import { greeting } from '../people/greeting.ts'
import { deleteResetsUnscoped, insertResetUnscoped } from '../queries/password-resets.ts'
import { findUserByEmailUnscoped } from '../queries/users.ts'

const linkLifeMs = 3_600_000
const mailsPerHour = { max: 3, windowSec: 3600 }

const ResetRequest = z.object({ email: z.string() })

export const resetMailJob = (context: AccountsContext): JobDefinition<z.infer<typeof ResetRequest>> =>
  defineJob({
    name: 'accounts.reset-mail',
    data: ResetRequest,
    handle: ({ email }) => mailResetLink(context, email),
  })

/**
 * Only the newest link works. People who never had a password here (their directory or provider is gone) choose their
 * first one by it, unless their organization refuses passwords.
 */
const mailResetLink = async (context: AccountsContext, email: string): Promise<void> => {
  const { db, clock, mail, limits, externalUrl } = context
  const user = await findUserByEmailUnscoped(db, email)
  if (user?.status !== 'ACTIVE' || (await context.findLoginPolicy(user)).refusesPassword) return
  const { allowed } = await limits.take(`reset mail ${user.id}`, mailsPerHour)
  if (!allowed) return
  const token = randomToken()
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    await deleteResetsUnscoped(tx, user.id)
    const expiresAt = new Date(now.getTime() + linkLifeMs)
    const mailId = await mail.send(tx, {
      to: user.email,
      by: byRecipient,
      ...compose({
        title: words`Reset your password`,
        paragraphs: [greeting(user), words`We received a request to reset the password of your account.`],
        action: { label: 'Choose a new password', url: `${externalUrl}/reset-password?token=${token}` },
        footer: words`The link works once and expires in one hour. If you didn’t ask for this, you can ignore this email.`,
      }),
    })
    const { id: userId } = user
    await insertResetUnscoped(tx, { tokenHash: hashToken(token), userId, mailId, expiresAt, createdAt: now })
  })
}
