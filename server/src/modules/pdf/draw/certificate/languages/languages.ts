/** The words of certificates in every language that a document can have. */
import type { SigningLanguage } from '@chancery/contract/signing/signing.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import { pt } from './pt.ts'
import type { CertificateTexts } from './texts.ts'
import { zh } from './zh.ts'

export const certificateTexts: Record<SigningLanguage, CertificateTexts> = { en, de, fr, es, pt, zh, ja, ar }

export const rightToLeft: ReadonlySet<SigningLanguage> = new Set(['ar'])
