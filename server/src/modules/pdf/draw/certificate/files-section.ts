/** The files of a document: what was shown and signed, what was uploaded, and what the one hasn't got of the other. */
import type { EvidenceFile } from '@chancery/contract/signing/evidence.ts'
import type { CertificateDesk } from './desk.ts'
import { count, plainTime } from './format.ts'

const mostSignatures = 20

export const writeFiles = (desk: CertificateDesk): void => {
  const { sheet, texts, facts } = desk
  if (facts.files.length === 0) return
  sheet.heading(texts.files.heading)
  for (const [index, file] of facts.files.entries()) {
    if (index > 0) sheet.gap(6)
    writeFile(desk, file)
  }
}

const writeFile = (desk: CertificateDesk, file: EvidenceFile): void => {
  const { sheet, texts, facts } = desk
  const { files, bytes } = texts
  const size = (value: number): string => bytes(count(facts.language, value))
  sheet.pair(files.name, file.name)
  sheet.pair(files.pages, count(facts.language, file.pageCount))
  sheet.pair('SHA-256', file.sha256, [`${files.signed}, ${size(file.bytes)}`])
  if (file.upload) sheet.pair(files.uploaded, file.upload.sha256, [`${file.upload.name}, ${size(file.upload.bytes)}`])
  if (file.removed.length > 0) sheet.pair(files.removed, removedText(desk, file))
  if (file.earlierSignatures.length > 0) sheet.pair(files.earlier, signedBefore(file), [files.earlierNote])
}

const removedText = ({ texts, facts }: CertificateDesk, { removed }: EvidenceFile): string =>
  removed.map(({ kind, count: found }) => `${texts.files.kinds[kind]}: ${count(facts.language, found)}`).join('\n')

const signedBefore = ({ earlierSignatures }: EvidenceFile): string =>
  earlierSignatures
    .slice(0, mostSignatures)
    .map(({ name, subject, at }) => [name ?? subject ?? '?', at && plainTime(at)].filter(Boolean).join(', '))
    .join('\n')
