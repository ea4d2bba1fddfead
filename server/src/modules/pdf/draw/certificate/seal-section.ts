/** What seals the file, what was compared before, and how anybody can check it. */
import type { EvidenceSeal } from '@chancery/contract/signing/evidence.ts'
import type { CertificateDesk } from './desk.ts'
import { count, utc } from './format.ts'

export const writeSeal = ({ sheet, texts, facts }: CertificateDesk, seal: EvidenceSeal): void => {
  const words = texts.seal
  sheet.heading(words.heading)
  sheet.pair(words.sealed, utc(seal.sealedAt))
  sheet.pair(words.by, seal.signer)
  sheet.pair(words.issuer, seal.isSelfMade ? words.selfMade : seal.issuer)
  sheet.pair(words.certificate, `SHA-256 ${seal.fingerprint}`)
  sheet.pair(words.timestamp, seal.hasTimestamp ? words.stamped : words.notStamped)
  if (facts.comparison)
    sheet.pair(words.compared, words.comparedPages(count(facts.language, facts.comparison.pages)), [words.comparison])
  sheet.gap(3)
  const sentences = [words.covers, seal.hasTimestamp ? words.mayFollow : '', words.check(seal.verifyUrl)]
  sheet.paragraph(sentences.filter(Boolean).join(' ').replaceAll('。 ', '。'))
}
