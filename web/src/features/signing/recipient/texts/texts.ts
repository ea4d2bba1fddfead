/** The languages of the signing page. One without its own texts yet is shown in English. */
import { type SigningLanguage, signingLanguages } from '@chancery/contract/signing.ts'
import { de } from './de.ts'
import { en, type Texts } from './en.ts'

const dictionaries: Partial<Record<SigningLanguage, Texts>> = { en, de }

export interface Wording {
  /** The language of the texts, which may be another than the one asked for. */
  language: SigningLanguage
  direction: 'ltr' | 'rtl'
  texts: Texts
}

export function wordingOf(wanted: SigningLanguage): Wording {
  const texts = dictionaries[wanted]
  const language = texts === undefined ? 'en' : wanted
  return { language, direction: language === 'ar' ? 'rtl' : 'ltr', texts: texts ?? en }
}

/** Before the recipient's language is known: the first of the browser's languages that we have. */
export function browserLanguage(wanted: readonly string[]): SigningLanguage {
  const found = wanted.flatMap((tag) =>
    signingLanguages.filter((language) => tag.toLowerCase().split('-')[0] === language),
  )
  return found[0] ?? 'en'
}
