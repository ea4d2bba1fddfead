/** The texts of mails to recipients and owners, in one language. */
import type { PlainName } from '#kernel/mail/words.ts'

export interface MailTexts {
  request: {
    sign(sender: PlainName, title: PlainName): string
    approve(sender: PlainName, title: PlainName): string
    view(sender: PlainName, title: PlainName): string
    body(sender: PlainName): string
    until(date: string): string
    button: string
    codeNote: string
    footer(sender: PlainName, email: string): string
  }
  reminder: { subject(title: PlainName): string; body(sender: PlainName): string }
  code: { subject: string; body: string; footer: string }
  completed: { subject(title: PlainName): string; body: string; button: string }
  declined: {
    subject(name: PlainName, title: PlainName): string
    body(name: PlainName): string
    reason(text: string): string
  }
  cancelled: { subject(title: PlainName): string; body(sender: PlainName): string; reason(text: string): string }
  expired: { subject(title: PlainName): string; body: string }
  /** Instead of what somebody wrote whose email address isn't proven, and with it. */
  unproven: { sender: string; title: string; note: string; footer: string }
  /** Leads a recipient to where they stop emails. */
  stop: string
  /** For the owner: somebody wants no more of it. */
  notMe: { subject(title: PlainName): string; body(name: PlainName, email: string): string }
  noMoreMail: { subject(name: PlainName): string; body(name: PlainName, email: string): string }
  /** For the owner. */
  open: string
}
