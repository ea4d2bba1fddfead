/** Pure. Everything that keeps a draft from being sent, named at once. */
import type { FieldProblem } from '@chancery/contract/errors.ts'
import type { FieldType, RecipientRole } from '@chancery/contract/signing/signing.ts'
import { mustAct } from './states.ts'

interface Draft {
  files: readonly unknown[]
  recipients: readonly { id: string; name: string; email: string; role: RecipientRole }[]
  fields: readonly { recipientId: string; type: FieldType }[]
  expiresAt: Date | null
  title: string
  /** Addresses that want no mail from the sender. */
  refusals: { has(email: string): boolean }
  /** The characters of a text that cannot be printed on the certificate page. */
  undrawable(text: string): string[]
}

export const findProblems = (draft: Draft, now: Date): FieldProblem[] => {
  const { files, recipients, fields, expiresAt, title, refusals, undrawable } = draft
  const problems: FieldProblem[] = []
  const add = (loc: FieldProblem['loc'], msg: string, type: string) => problems.push({ loc, msg, type })
  if (files.length === 0) add(['files'], 'Add a file.', 'files_missing')
  if (!recipients.some(mustAct)) add(['recipients'], 'Add someone who signs or approves.', 'recipients_missing')
  if (expiresAt !== null && expiresAt <= now)
    add(['expiresAt'], 'The expiry date has passed. Choose a later one.', 'expiry_passed')
  if (undrawable(title).length > 0) add(['title'], unprintable(title, undrawable), 'undrawable')
  for (const { id, name, email, role } of recipients) {
    const own = fields.filter(({ recipientId }) => recipientId === id)
    if (undrawable(name).length > 0) add(['recipients', id], unprintable(name, undrawable), 'undrawable')
    if (email === '') add(['recipients', id], `${name} has no email address.`, 'email_missing')
    if (refusals.has(email))
      add(['recipients', id], `${name} (${email}) doesn't want emails from you.`, 'recipient_refuses_mail')
    if (role === 'SIGNER' && !own.some(({ type }) => type === 'SIGNATURE'))
      add(['recipients', id], `${name} has no signature field. Place one, or change their role.`, 'signature_missing')
    if (!mustAct({ role }) && own.length > 0)
      add(['recipients', id], `${name} only receives a copy, but has fields to fill in.`, 'fields_of_onlooker')
  }
  return problems
}

export const unprintable = (text: string, undrawable: Draft['undrawable']): string =>
  `“${text}” has characters that can't be printed: ${undrawable(text).slice(0, 10).join(' ')}`
