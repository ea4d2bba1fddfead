/** What every section of a certificate needs. */
import type { Evidence } from '@chancery/contract/signing/evidence.ts'
import type { CertificateTexts } from './languages/texts.ts'
import type { Sheet } from './sheet.ts'

export interface CertificateDesk {
  sheet: Sheet
  texts: CertificateTexts
  facts: Evidence
}
