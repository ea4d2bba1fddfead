/** What a recipient agrees to before signing electronically. A change of any text needs a new version. */
import { createHash } from 'node:crypto'
import type { SigningLanguage } from '@chancery/contract/signing.ts'

export const consentVersion = '2026-11-1'

const texts: Partial<Record<SigningLanguage, string>> = {
  en: 'I agree to sign this document electronically. My electronic signature has the same effect as one on paper, as far as the law allows. I can decline and ask the sender for a paper copy instead. I can open and store PDF files, and I will receive the signed document by email.',
  de: 'Ich bin damit einverstanden, dieses Dokument elektronisch zu unterschreiben. Meine elektronische Unterschrift hat dieselbe Wirkung wie eine auf Papier, soweit das Gesetz es zulässt. Ich kann ablehnen und den Absender stattdessen um ein Exemplar auf Papier bitten. Ich kann PDF-Dateien öffnen und speichern und erhalte das unterschriebene Dokument per E-Mail.',
}

export const consentIn = (language: SigningLanguage): { version: string; text: string; hash: string } => {
  const known = texts[language] === undefined ? 'en' : language
  const text = texts[known] ?? ''
  const hash = createHash('sha256').update(text).digest('hex')
  return { version: `${consentVersion}-${known}`, text, hash }
}
