/** The email that asks someone to answer an approval. */
import type { Db } from '#kernel/db/database.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { compose } from '#kernel/mail/compose.ts'
import { followsFor } from '#kernel/mail/mail.ts'
import { freeText, ownWords, plainName, words } from '#kernel/mail/words.ts'

interface ApprovalMail {
  row: {
    stepId: string
    scopeId: string
    workflowName: string
    title: string
    message: string
    deadlineAt?: Date | null
  }
  addresses: readonly string[]
}

export const mailApproval = async (
  { mail, externalUrl }: Pick<Kernel, 'mail' | 'externalUrl'>,
  tx: Db,
  { row, addresses }: ApprovalMail,
): Promise<void> => {
  const title = plainName(row.title, 120)
  const until = row.deadlineAt ? [words`Please answer by ${ownWords(deadlineText(row.deadlineAt))}.`] : []
  const message = compose({
    subject: words`Approval: ${title}`,
    title: words`${title}`,
    paragraphs: [
      words`The workflow "${plainName(row.workflowName)}" is waiting for your approval.`,
      ...freeText(row.message),
      ...until,
    ],
    action: { label: 'Approve or reject', url: `${externalUrl}/workflows/approvals?open=${row.stepId}` },
  })
  for (const to of addresses) await mail.send(tx, { to, by: followsFor(row), ...message })
}

/** The reader's time zone isn't known here, so the time is in UTC and says so. */
const deadlineText = (time: Date): string =>
  `${new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(time)} UTC`
