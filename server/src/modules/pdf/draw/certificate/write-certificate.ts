/**
 * The certificate at the end of a sealed document: who signed what, what they saw and did, from where, and how to check
 * it. In the language of the document.
 */

import type { Evidence, EvidenceSeal } from '@chancery/contract/signing/evidence.ts'
import type { PDF } from '@libpdf/core'
import type { TextPen } from '../draw-text.ts'
import { writeAudit } from './audit-section.ts'
import { writeDocument, writeOverview } from './document-section.ts'
import { drawSheet } from './draw-sheet.ts'
import { writeFiles } from './files-section.ts'
import { certificateTexts, rightToLeft } from './languages/languages.ts'
import { writeChanges, writeRecipients } from './recipients-section.ts'
import { writeSeal } from './seal-section.ts'
import { Sheet } from './sheet.ts'

/** Of a file that is a certificate alone. */
export const certificateTitle = ({ language, title }: Evidence): string =>
  `${certificateTexts[language].title}: ${title}`

export const writeCertificate = (pdf: PDF, pen: TextPen, facts: Evidence & { seal: EvidenceSeal }): void => {
  const texts = certificateTexts[facts.language]
  const sheet = new Sheet(pen, { isRightToLeft: rightToLeft.has(facts.language) })
  const desk = { sheet, texts, facts }
  writeDocument(desk)
  writeOverview(desk)
  writeFiles(desk)
  writeRecipients(desk)
  writeChanges(desk)
  writeSeal(desk, facts.seal)
  writeAudit(desk)
  drawSheet(pdf, pen, { sheet, footer: { left: `${texts.title} · ${facts.documentId}`, right: texts.page } })
}
