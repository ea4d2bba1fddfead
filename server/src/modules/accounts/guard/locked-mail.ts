/**
 * The way in that is left after a hundred failures in a row: an email to the owner, whose link makes a browser known.
 * Asked for by an attempt that is refused, so the owner gets it by trying. It is the same work for every address.
 */
import { z } from 'zod'
import { defineJob, type JobDefinition } from '#kernel/jobs/jobs.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { compose } from '#kernel/mail/compose.ts'
import { byRecipient } from '#kernel/mail/mail.ts'
import { words } from '#kernel/mail/words.ts'
import { browserToken, type Mailed } from './known-browser.ts'
import { type Attempt, accountKeyOf } from './login-buckets.ts'

const mailsPerDay = { max: 3, windowSec: 86_400 }

const Locked = z.object({ kind: z.enum(['user', 'admin']), id: z.string(), email: z.string() })
export type LockedMailJob = JobDefinition<z.infer<typeof Locked>>

export const offerMailedWay = async (
  { db, jobs, limits, lockedMail }: Pick<Kernel, 'db' | 'jobs' | 'limits'> & { lockedMail: LockedMailJob },
  attempt: Pick<Attempt, 'door' | 'email'>,
  { kind, id }: Mailed,
): Promise<void> => {
  const { allowed } = await limits.take(`locked mail ${accountKeyOf(attempt)}`, mailsPerDay)
  if (allowed) await jobs.enqueue(db, lockedMail, { kind, id, email: attempt.email })
}

export const lockedMailJob = (kernel: Kernel): LockedMailJob =>
  defineJob({
    name: 'accounts.locked-mail',
    data: Locked,
    handle: async ({ kind, id, email }) => {
      if (id !== '') await mailWayIn(kernel, { kind, id }, email)
    },
  })

const mailWayIn = (kernel: Kernel, account: Mailed, to: string): Promise<string> =>
  kernel.mail.send(kernel.db, {
    to,
    by: byRecipient,
    ...compose({
      title: words`Too many failed sign-ins`,
      paragraphs: [
        words`There were 100 failed attempts in a row to sign in to your account. Nobody can sign in to it now except from browsers that you have used before.`,
        words`To sign in from this browser, use the link below and then your password. If you don’t know your password, you can reset it on the sign-in page.`,
      ],
      action: {
        label: 'Sign in from this browser',
        url: `${kernel.externalUrl}/api/auth/known-browser?token=${browserToken(kernel, account)}`,
      },
      footer: words`The link works for one day. If you didn’t try to sign in, you don’t need to do anything. Don’t forward this email.`,
    }),
  })
