/** What each recipient saw and did, how they were identified, and what was changed about them meanwhile. */
import type { EvidenceDevice, EvidenceRecipient, EvidenceView } from '@chancery/contract/signing/evidence.ts'
import { momentText } from '../local-dates.ts'
import type { CertificateDesk } from './desk.ts'
import { deviceName } from './device-name.ts'
import { writeFields } from './fields-table.ts'
import { count, durationText, party, utc } from './format.ts'

/** Of views, devices and changes: more are in `evidence.json`. */
const mostListed = 30
const mostChanges = 200

export const writeRecipients = (desk: CertificateDesk): void => {
  const { sheet, texts, facts } = desk
  if (facts.recipients.length === 0) return
  sheet.heading(texts.recipient.heading)
  for (const [index, recipient] of facts.recipients.entries()) {
    sheet.subheading(`${index + 1}. ${recipient.name}`, recipient.email)
    writeRecipient(desk, recipient)
    writeFields(desk, recipient)
  }
}

const writeRecipient = (desk: CertificateDesk, recipient: EvidenceRecipient): void => {
  const { sheet, facts } = desk
  const { recipient: words, roles } = desk.texts
  const { timeZone, openedAt, signedAt } = recipient
  /** In UTC, as the audit log has it, and as the signer's clock showed it. */
  const moment = (label: string, at: string | null, notes: readonly (string | null)[] = []): void => {
    const local = at !== null && timeZone !== null ? momentText(facts.language, new Date(at), timeZone) : null
    sheet.pair(label, utc(at), [local, ...notes])
  }
  sheet.pair(words.role, roles[recipient.role])
  // A recipient who never came was identified by nothing.
  const hasCome = openedAt !== null || signedAt !== null || recipient.state === 'DECLINED'
  sheet.pair(words.identified, hasCome ? words.proofs[recipient.authentication] : null)
  sheet.pair(words.notified, utc(recipient.notifiedAt))
  sheet.pair(words.code, utc(recipient.codeVerifiedAt))
  listed(desk, recipient.viewed, (view) => writeView(desk, view))
  moment(words.opened, openedAt)
  if (openedAt === null && signedAt !== null) sheet.pair(words.opened, words.notOpened)
  moment(words.consented, recipient.consentedAt, consentNotes(desk, recipient))
  moment(recipient.role === 'APPROVER' ? words.approved : words.signed, signedAt)
  if (recipient.secondsToSign !== null)
    sheet.pair(words.duration, durationText(facts.language, recipient.secondsToSign))
  sheet.pair(words.timeZone, timeZone)
  listed(desk, recipient.devices, (device) => writeDevice(desk, device))
}

const listed = <Item>(
  { sheet, texts, facts }: CertificateDesk,
  items: readonly Item[],
  write: (item: Item) => void,
  most = mostListed,
): void => {
  for (const item of items.slice(0, most)) write(item)
  if (items.length > most) sheet.paragraph(texts.audit.more(count(facts.language, items.length - most)))
}

const writeView = ({ sheet, texts, facts }: CertificateDesk, view: EvidenceView): void => {
  const { recipient: words, files } = texts
  sheet.pair(words.read, utc(view.at), [
    view.name,
    `${files.pages}: ${count(facts.language, view.pageCount)}`,
    `SHA-256 ${view.sha256}`,
    view.via === 'copied_link' ? words.byCopiedLink : null,
  ])
}

const consentNotes = ({ texts }: CertificateDesk, recipient: EvidenceRecipient): (string | null)[] => {
  const { consentVersion, consentSha256 } = recipient
  return [
    consentVersion === null ? null : texts.recipient.consentText(consentVersion),
    consentSha256 === null ? null : `SHA-256 ${consentSha256}`,
  ]
}

const writeDevice = ({ sheet, texts }: CertificateDesk, { ip, userAgent, firstAt, lastAt }: EvidenceDevice): void => {
  const name = userAgent === null ? undefined : deviceName(userAgent)
  const times = firstAt === lastAt ? utc(firstAt) : `${utc(firstAt)} – ${utc(lastAt)}`
  const parts = [ip, name].filter((part) => part !== null && part !== undefined)
  sheet.pair(texts.recipient.device, parts.join(', ') || (userAgent ?? ''), [
    times,
    parts.length > 0 ? userAgent : null,
  ])
}

export const writeChanges = (desk: CertificateDesk): void => {
  const { sheet, texts, facts } = desk
  const { heading, sentences, askedBy, unknown } = texts.changes
  if (facts.changes.length === 0) return
  sheet.heading(heading)
  listed(
    desk,
    facts.changes,
    ({ at, type, by, from, to, endsLinks }) => {
      const sentence = sentences[type](party(from, unknown), to === null ? '' : party(to, unknown), endsLinks)
      sheet.pair(utc(at) ?? '', sentence, [`${askedBy} ${party(by, unknown)}`])
    },
    mostChanges,
  )
}
