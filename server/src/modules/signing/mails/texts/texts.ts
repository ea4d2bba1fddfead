/** What mails to recipients and owners say, in one language. */
export interface MailTexts {
  request: {
    sign(sender: string, title: string): string
    approve(sender: string, title: string): string
    view(sender: string, title: string): string
    body(sender: string): string
    until(date: string): string
    button: string
    codeNote: string
    footer(sender: string, email: string): string
  }
  reminder: { subject(title: string): string; body(sender: string): string }
  code: { subject: string; body: string; footer: string }
  completed: { subject(title: string): string; body: string; button: string }
  declined: { subject(name: string, title: string): string; body(name: string): string; reason(text: string): string }
  cancelled: { subject(title: string): string; body(sender: string): string; reason(text: string): string }
  expired: { subject(title: string): string; body: string }
  /** For the owner. */
  open: string
}
