/** A platform admin who forgot the password gets a link by mail. Whether there is an account shows only in that mailbox. */
import { z } from 'zod'
import type { Origin } from '#kernel/audit/audit.ts'
import { hashToken, randomToken } from '#kernel/crypto/tokens.ts'
import { AppError } from '#kernel/errors.ts'
import { defineJob, type JobDefinition } from '#kernel/jobs/jobs.ts'
import { compose } from '#kernel/mail/compose.ts'
import { byRecipient } from '#kernel/mail/mail.ts'
import { words } from '#kernel/mail/words.ts'
import { canonicalEmail } from '#modules/accounts/index.ts'
import type { AdminContext } from './context.ts'
import { asAdminPrincipal } from './principal.ts'
import {
  findAdminByEmailUnscoped,
  findAdminByIdUnscoped,
  findAdminResetUnscoped,
  replaceAdminResetUnscoped,
  setAdminPasswordUnscoped,
  useAdminResetUnscoped,
} from './queries.ts'

const linkLifeMs = 3_600_000
const mailsPerHour = { max: 3, windowSec: 3600 }
const ResetRequest = z.object({ email: z.string() })

export const adminResetMailJob = (context: AdminContext): JobDefinition<z.infer<typeof ResetRequest>> =>
  defineJob({
    name: 'platform-admin.reset-mail',
    data: ResetRequest,
    handle: ({ email }) => mailResetLink(context, canonicalEmail(email)),
  })

/** Only the newest link works. */
const mailResetLink = async (context: AdminContext, email: string): Promise<void> => {
  const { clock, db, externalUrl, limits, mail } = context
  const admin = await findAdminByEmailUnscoped(db, email)
  if (!admin?.active) return
  const { allowed } = await limits.take(`reset mail ${admin.id}`, mailsPerHour)
  if (!allowed) return
  const token = randomToken()
  const createdAt = clock.now()
  const expiresAt = new Date(createdAt.getTime() + linkLifeMs)
  await db.transaction().execute(async (tx) => {
    await replaceAdminResetUnscoped(tx, { tokenHash: hashToken(token), adminId: admin.id, createdAt, expiresAt })
    await mail.send(tx, {
      to: admin.email,
      by: byRecipient,
      ...compose({
        title: words`Reset your password`,
        paragraphs: [words`We received a request to reset the password of your platform admin account.`],
        action: { label: 'Choose a new password', url: `${externalUrl}/platform/reset-password?token=${token}` },
        footer: words`The link works once and expires in one hour. If you didn’t ask for this, you can ignore this email.`,
      }),
    })
  })
}

/** Every session of theirs ends; the second factors stay. */
export const resetAdminPassword = async (
  context: AdminContext,
  { token, password }: { token: string; password: string },
  from: Origin,
): Promise<void> => {
  const { accounts, audit, clock, db } = context
  const tokenHash = hashToken(token)
  const offered = await findAdminResetUnscoped(db, tokenHash, clock.now())
  if (!offered) throw new AppError('invalid_reset_token')
  const passwordHash = await accounts.passwords.hash(password)
  await accounts.changePrincipal(offered.adminId, async (tx) => {
    const used = await useAdminResetUnscoped(tx, tokenHash, clock.now())
    const admin = used && (await findAdminByIdUnscoped(tx, used.adminId))
    if (!admin?.active) throw new AppError('invalid_reset_token')
    await setAdminPasswordUnscoped(tx, admin.id, passwordHash)
    await accounts.logins.endOpenedByPasswordUnscoped(tx, { kind: 'admin', id: admin.id })
    await audit.record(tx, { action: 'platform.reset_password', by: asAdminPrincipal(admin), from })
  })
}
