/** The languages of the signing page. Each is a file of its own that loads when a recipient needs it. */
import { type SigningLanguage, signingLanguages } from '@chancery/contract/signing/signing.ts'
import { useQuery } from '@tanstack/react-query'
import { en, type Texts } from './en.ts'

export const loadTexts: Record<SigningLanguage, () => Promise<Texts>> = {
  en: async () => en,
  de: async () => (await import('./de.ts')).de,
  fr: async () => (await import('./fr.ts')).fr,
  es: async () => (await import('./es.ts')).es,
  pt: async () => (await import('./pt.ts')).pt,
  zh: async () => (await import('./zh.ts')).zh,
  ja: async () => (await import('./ja.ts')).ja,
  ar: async () => (await import('./ar.ts')).ar,
}

export interface Wording {
  language: SigningLanguage
  direction: 'ltr' | 'rtl'
  texts: Texts
}

/** English until the texts are loaded, and where they can't be: a document must be readable either way. */
export function useWording(wanted: SigningLanguage): Wording & { isLoading: boolean } {
  const { data, isPending } = useQuery({
    queryKey: ['signing-texts', wanted],
    queryFn: loadTexts[wanted],
    staleTime: Number.POSITIVE_INFINITY,
  })
  const language = data === undefined ? 'en' : wanted
  return { language, direction: language === 'ar' ? 'rtl' : 'ltr', texts: data ?? en, isLoading: isPending }
}

/** Before the recipient's language is known: the first of the browser's languages that we have. */
export function browserLanguage(wanted: readonly string[]): SigningLanguage {
  const found = wanted.flatMap((tag) =>
    signingLanguages.filter((language) => tag.toLowerCase().split('-')[0] === language),
  )
  return found[0] ?? 'en'
}
