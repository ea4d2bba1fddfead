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
  open: 'Open document',
}
