/** The texts of every language that a recipient can have. */
import type { SigningLanguage } from '@chancery/contract/signing/signing.ts'
import { ar } from './texts/ar.ts'
import { de } from './texts/de.ts'
import { en } from './texts/en.ts'
import { es } from './texts/es.ts'
import { fr } from './texts/fr.ts'
import { ja } from './texts/ja.ts'
import { pt } from './texts/pt.ts'
import type { MailTexts } from './texts/texts.ts'
import { zh } from './texts/zh.ts'

const texts: Record<SigningLanguage, MailTexts> = { en, de, fr, es, pt, zh, ja, ar }

export const textsIn = (language: SigningLanguage): MailTexts => texts[language]

/** The reader's time zone isn't known here, so the time is in UTC and says so. */
export const dateIn = (language: SigningLanguage, time: Date): string =>
  `${new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(time)} UTC`
