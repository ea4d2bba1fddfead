/** Pure. What keeps a draft from being sent, so that the review can name it before anybody presses Send. */
import type { SigningDocument } from '@chancery/contract/signing/documents.ts'
import type { EditorField } from './fields.ts'

export interface Problem {
  text: string
  /** The recipient it is about. */
  recipientId?: string
}

type Draft = Pick<SigningDocument, 'recipients' | 'expiresAt'> & {
  fields: readonly Pick<EditorField, 'recipientId' | 'type'>[]
}

export function findProblems({ recipients, fields, expiresAt }: Draft, now: Date): Problem[] {
  const problems: Problem[] = []
  if (!recipients.some(({ role }) => role === 'SIGNER' || role === 'APPROVER'))
    problems.push({ text: 'Add someone who signs or approves.' })
  for (const { id, name, role } of recipients) {
    const own = fields.filter(({ recipientId }) => recipientId === id)
    if (role === 'SIGNER' && !own.some(({ type }) => type === 'SIGNATURE'))
      problems.push({ text: `${name} has no signature field. Place one, or change their role.`, recipientId: id })
    if ((role === 'VIEWER' || role === 'CC') && own.length > 0)
      problems.push({ text: `${name} only receives a copy, but has fields to fill in.`, recipientId: id })
  }
  if (expiresAt !== null && new Date(expiresAt) <= now)
    problems.push({ text: 'The expiry date has passed. Choose a later one.' })
  return problems
}
