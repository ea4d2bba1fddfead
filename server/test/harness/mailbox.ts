/** The mail of people. */
import type { Email } from 'postal-mime'
import { vi } from 'vitest'
import type { SmtpPeer } from '../peers/smtp.ts'

export interface Letter {
  subject: string
  text: string
  /** The six digits in it. */
  code(): string
  /** The path and query of the first link in it. */
  link(): string
}

const asLetter = ({ subject = '', text = '' }: Email): Letter => ({
  subject,
  text,
  code: () => /\b\d{6}\b/.exec(text)?.[0] ?? '',
  link: () => {
    const url = new URL(/https?:\/\/\S+/.exec(text)?.[0] ?? 'http://none.test/')
    return url.pathname + url.search
  },
})

export const createMailbox = (smtp: SmtpPeer) => {
  /** In the order they were written, which need not be that of their arrival. */
  const lettersTo = (email: string): Letter[] =>
    smtp.mails
      .filter((mail) => mail.to?.some((to) => to.address === email))
      .sort((a, b) => (a.messageId ?? '').localeCompare(b.messageId ?? ''))
      .map(asLetter)
  return {
    lettersTo,
    /** Waits for the n-th letter to this address. */
    letterTo: (email: string, count = 1): Promise<Letter> =>
      vi.waitFor(
        () => {
          const letter = lettersTo(email)[count - 1]
          if (!letter) throw new Error(`no letter number ${count} to ${email}`)
          return letter
        },
        { timeout: 10_000, interval: 20 },
      ),
  }
}
