/** The email that asks someone to answer an approval. */
import type { Db } from '#kernel/db/database.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { compose } from '#kernel/mail/compose.ts'
import { oneLine } from '../owner-mail.ts'

interface ApprovalMail {
  row: { stepId: string; workflowName: string; title: string; message: string; deadlineAt?: Date | null }
  addresses: readonly string[]
}

export const mailApproval = async (
  { mail, externalUrl }: Pick<Kernel, 'mail' | 'externalUrl'>,
  tx: Db,
  { row, addresses }: ApprovalMail,
): Promise<void> => {
  const until = row.deadlineAt ? [`Please answer by ${deadlineText(row.deadlineAt)}.`] : []
  const message = compose({
    title: oneLine(row.title),
    paragraphs: [
      `The workflow "${row.workflowName}" is waiting for your approval.`,
      ...paragraphsOf(row.message),
      ...until,
    ],
    action: { label: 'Approve or reject', url: `${externalUrl}/workflows/approvals?open=${row.stepId}` },
  })
  for (const to of addresses) await mail.send(tx, { to, subject: oneLine(`Approval: ${row.title}`), ...message })
}

/** The reader's time zone isn't known here, so the time is in UTC and says so. */
const deadlineText = (time: Date): string =>
  `${new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(time)} UTC`

const paragraphsOf = (message: string): string[] =>
  message
    .slice(0, 5000)
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.trim() !== '')
