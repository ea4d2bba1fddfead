/** The first lines of a certificate: the document, and everybody's result at a glance. */
import type { EvidenceRecipient } from '@chancery/contract/signing/evidence.ts'
import type { CertificateDesk } from './desk.ts'
import { count, party, utc } from './format.ts'
import type { CertificateTexts } from './languages/texts.ts'

export const writeDocument = ({ sheet, texts, facts }: CertificateDesk): void => {
  const { document, bytes } = texts
  const { sealedFile } = facts
  sheet.title(texts.title)
  sheet.pair(document.title, facts.title)
  sheet.pair(document.id, facts.documentId)
  sheet.pair(document.organization, facts.organizationName)
  sheet.pair(document.sender, party(facts.owner, ''))
  sheet.pair(document.created, utc(facts.createdAt))
  sheet.pair(document.sent, utc(facts.sentAt))
  sheet.pair(document.completed, utc(facts.signedAt))
  if (!sealedFile) return
  sheet.pair(document.sealedDocument, `SHA-256 ${sealedFile.sha256}`, [bytes(count(facts.language, sealedFile.bytes))])
  sheet.pair(document.level, `PAdES ${sealedFile.level}`)
}

export const writeOverview = ({ sheet, texts, facts }: CertificateDesk): void => {
  const { overview, roles } = texts
  if (facts.recipients.length === 0) return
  sheet.heading(overview.heading)
  const columns = [
    { title: overview.person, width: 235 },
    { title: overview.role, width: 110 },
    { title: overview.result, width: 150 },
  ]
  const rows = facts.recipients.map((recipient) => [
    { text: recipient.name, note: recipient.email },
    { text: roles[recipient.role] },
    { text: resultOf(texts, recipient), note: utc(recipient.signedAt) },
  ])
  sheet.table(columns, rows)
}

const resultOf = (texts: CertificateTexts, { role, state }: EvidenceRecipient): string =>
  state === 'SIGNED' && role === 'APPROVER' ? texts.approved : texts.states[state]
