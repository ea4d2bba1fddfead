import type { MailTexts } from './texts.ts'

export const en: MailTexts = {
  request: {
    sign: (sender, title) => `${sender} asks you to sign “${title}”`,
    approve: (sender, title) => `${sender} asks you to approve “${title}”`,
    view: (sender, title) => `${sender} shares “${title}” with you`,
    body: (sender) => `${sender} sent you this document. You don’t need an account.`,
    until: (date) => `Please finish by ${date}.`,
    button: 'Open document',
    codeNote: 'To open it, you’ll enter a code that we send to this address.',
    footer: (sender, email) =>
      `This link is personal: anyone who has it can act as you. Don’t forward this email. Questions? Write to ${sender} (${email}).`,
  },
  reminder: {
    subject: (title) => `Reminder: “${title}” is waiting for you`,
    body: (sender) => `${sender} is still waiting for you to finish this document.`,
  },
  code: {
    subject: 'Your code to open the document',
    body: 'Enter this code to open the document. It works once and expires in five minutes.',
    footer: 'If you didn’t ask for a code, you can ignore this email.',
  },
  completed: {
    subject: (title) => `Completed: “${title}”`,
    body: 'Everyone has signed. You can download the sealed document.',
    button: 'Download document',
  },
  declined: {
    subject: (name, title) => `${name} declined “${title}”`,
    body: (name) => `${name} declined to sign. The document is closed and nobody else can sign it.`,
    reason: (text) => `Reason: ${text}`,
  },
  cancelled: {
    subject: (title) => `Cancelled: “${title}”`,
    body: (sender) => `${sender} cancelled this document. You don’t need to do anything.`,
    reason: (text) => `Reason: ${text}`,
  },
  expired: {
    subject: (title) => `Expired: “${title}”`,
    body: 'The document expired before everyone had signed. Nobody can sign it any more.',
  },
  unproven: {
    sender: 'Someone',
    title: 'Document',
    note: 'The sender hasn’t confirmed their email address, so this email doesn’t repeat what they call themselves or wrote. Open the document only if you expect one.',
    footer: 'This link is personal: anyone who has it can act as you. Don’t forward this email.',
  },
  stop: 'Not for you, or no more emails from this sender?',
  notMe: {
    subject: (title) => `A recipient says that “${title}” isn’t for them`,
    body: (name, email) =>
      `${name} (${email}) says that they aren’t the person you mean. Their links have ended. Correct the email address, replace them, or cancel the document.`,
  },
  noMoreMail: {
    subject: (name) => `${name} doesn’t want emails from you`,
    body: (name, email) =>
      `${name} (${email}) asked us to send no more emails from you. We won’t email them reminders or new documents.`,
  },
  open: 'Open document',
}
