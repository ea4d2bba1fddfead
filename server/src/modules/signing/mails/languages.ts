/** Which texts a language has. One without its own gets English ones. */
import type { SigningLanguage } from '@chancery/contract/signing.ts'
import { de } from './texts/de.ts'
import { en } from './texts/en.ts'
import type { MailTexts } from './texts/texts.ts'

const texts: Partial<Record<SigningLanguage, MailTexts>> = { en, de }

export const textsIn = (language: SigningLanguage): MailTexts => texts[language] ?? en

/** The reader's time zone isn't known here, so the time is in UTC and says so. */
export const dateIn = (language: SigningLanguage, time: Date): string => {
  const known = texts[language] ? language : 'en'
  return `${new Intl.DateTimeFormat(known, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(time)} UTC`
}
