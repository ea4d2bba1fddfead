/** The letter that tells somebody that a run waits for their word. */
import type { Db } from '#kernel/db/database.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { compose } from '#kernel/mail/compose.ts'

interface Question {
  row: { stepId: string; title: string; message: string; deadlineAt?: Date | null }
  workflowName: string
  addresses: readonly string[]
}

/** What a workflow wrote may hold anything; a subject is one line. */
const oneLine = (text: string): string =>
  text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 200)

export const mailApproval = async (
  { mail, externalUrl }: Pick<Kernel, 'mail' | 'externalUrl'>,
  tx: Db,
  { row, workflowName, addresses }: Question,
): Promise<void> => {
  const until = row.deadlineAt ? [`It can be answered until ${row.deadlineAt.toISOString()}.`] : []
  const letter = compose({
    title: oneLine(row.title),
    paragraphs: [`The workflow "${workflowName}" waits for an approval.`, ...paragraphsOf(row.message), ...until],
    action: { label: 'Approve or reject', url: `${externalUrl}/workflows/approvals?open=${row.stepId}` },
  })
  for (const to of addresses) await mail.send(tx, { to, subject: oneLine(`Approval: ${row.title}`), ...letter })
}

const paragraphsOf = (message: string): string[] =>
  message
    .slice(0, 5000)
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.trim() !== '')
