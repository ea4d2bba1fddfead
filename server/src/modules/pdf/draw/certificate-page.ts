/** The certificate at the end of a sealed document: who signed what, when and from where, and how to check it. */
import type { SigningLanguage } from '@chancery/contract/signing/signing.ts'
import type { CertificateFacts, CertificateRecipient, RecipientChange } from '../interface.ts'
import type { FlowPage } from './flow-page.ts'
import { momentText } from './local-dates.ts'

/** As JSON leaves the server: times are ISO 8601. */
export type CertificateText = JsonOf<CertificateFacts>
type JsonOf<Value> = Value extends Date
  ? string
  : Value extends readonly (infer Item)[]
    ? JsonOf<Item>[]
    : Value extends object
      ? { [Key in keyof Value]: JsonOf<Value[Key]> }
      : Value

export interface SealFacts {
  /** The subject of the certificate. */
  signer: string
  issuer: string
  fingerprint: string
  isSelfMade: boolean
  /** The page where anybody can check the file. */
  verifyUrl: string
  sealedAt: string
  hasTimestamp: boolean
}

export const writeCertificate = (flow: FlowPage, facts: CertificateText, seal: SealFacts): void => {
  flow.heading('Certificate of completion', 18)
  flow.pair('Document', facts.title)
  flow.pair('Document ID', facts.documentId)
  flow.pair('Organization', facts.organizationName)
  flow.pair('Sent by', `${facts.owner.name} <${facts.owner.email}>`)
  flow.pair('Created', utc(facts.createdAt))
  flow.pair('Sent', utc(facts.sentAt))
  flow.pair('Completed', utc(facts.signedAt))

  if (facts.sealedFile)
    flow.pair('Sealed document', `SHA-256 ${facts.sealedFile.sha256} (${facts.sealedFile.bytes} bytes)`)
  flow.pair('Seal level', facts.sealedFile ? `PAdES ${facts.sealedFile.level}` : null)

  flow.heading('Files')
  for (const file of facts.files) {
    flow.pair('Name', `${file.name} (${file.pageCount} ${file.pageCount === 1 ? 'page' : 'pages'})`)
    flow.pair('SHA-256', file.sha256)
    flow.gap()
  }

  flow.heading('Recipients')
  for (const recipient of facts.recipients) writeRecipient(flow, recipient, facts.language)
  writeChanges(flow, facts.changes)

  writeSeal(flow, seal)
  writeAudit(flow, facts)
}

const roles = { SIGNER: 'Signer', APPROVER: 'Approver', VIEWER: 'Viewer', CC: 'Receives a copy' } as const
const proofs = {
  link: 'Link sent to this email address',
  link_and_code: 'Link and one-time code sent to this email address',
  copied_link: 'Link handed over, not emailed, so it is no proof of this email address',
  copied_link_and_code: 'Link handed over, not emailed, and one-time code sent to this email address',
  account: 'Signed in to an account with this verified email address',
  account_and_code: 'Signed in to an account with this email address, and one-time code sent to it',
} as const

const writeRecipient = (flow: FlowPage, recipient: JsonOf<CertificateRecipient>, language: SigningLanguage): void => {
  const { timeZone } = recipient
  /** In UTC, as the audit log has it, and on a line of its own (it may run from right to left) as the signer's clock showed it. */
  const moment = (label: string, at: string | null, version: string | null = null): void => {
    flow.pair(label, withVersion(utc(at), version))
    if (at !== null && timeZone !== null) flow.pair('', momentText(language, new Date(at), timeZone))
  }
  flow.pair('Name', recipient.name)
  flow.pair('Email', recipient.email)
  flow.pair('Role', roles[recipient.role])
  // A recipient who never came was identified by nothing.
  const hasCome = recipient.openedAt !== null || recipient.signedAt !== null || recipient.state === 'DECLINED'
  flow.pair('Identified by', hasCome ? proofs[recipient.authentication] : null)
  flow.pair('Notified', utc(recipient.notifiedAt))
  moment('Opened', recipient.openedAt)
  if (recipient.openedAt === null && recipient.signedAt !== null) flow.pair('Opened', 'Not opened before signing')
  moment('Consent given', recipient.consentedAt, recipient.consentVersion)
  moment('Signed', recipient.signedAt)
  flow.pair('Time zone', timeZone)
  flow.pair('IP address', recipient.ip)
  flow.pair('Browser', recipient.userAgent)
  flow.pair('Filled in by sender', prefilledText(recipient.prefilled))
  flow.gap()
}

const changeTexts: Record<RecipientChange['type'], (from: string, to: string, endsLinks: boolean) => string> = {
  email_corrected: (from, to) => `Email address corrected from ${from} to ${to}. Earlier links ended.`,
  link_replaced: (_from, to) => `New link for ${to}. Earlier links ended.`,
  link_copied: (from) => `Link copied to be handed to ${from}.`,
  recipient_replaced: (from, to) => `${from} replaced by ${to}. Earlier links ended.`,
  delegated: (from, to) => `Passed on by ${from} to ${to}. Earlier links ended.`,
  not_me: (from, _to, endsLinks) =>
    `${from} said that they are not the person meant.${endsLinks ? ' Their links ended.' : ''}`,
}

const writeChanges = (flow: FlowPage, changes: CertificateText['changes']): void => {
  if (changes.length === 0) return
  flow.heading('Changes to recipients')
  for (const { at, type, by, from, to, endsLinks } of changes) {
    flow.pair(utc(at) ?? '', changeTexts[type](party(from), to === null ? '' : party(to), endsLinks))
    flow.pair('Asked for by', party(by))
    flow.gap(3)
  }
}

const party = ({ name, email }: RecipientChange['by']): string => {
  if (name === null || email === null) return name ?? email ?? 'Unknown'
  return `${name} <${email}>`
}

const prefilledText = (fields: CertificateRecipient['prefilled']): string | null =>
  fields.length === 0
    ? null
    : fields.map(({ label, type, isLocked }) => `${label ?? words(type)}${isLocked ? ' (locked)' : ''}`).join(', ')

const writeSeal = (flow: FlowPage, seal: SealFacts): void => {
  flow.heading('Seal')
  flow.pair('Sealed', utc(seal.sealedAt))
  flow.pair('Sealed by', seal.signer)
  flow.pair('Issued by', seal.isSelfMade ? 'Self-made: no certificate authority vouches for it' : seal.issuer)
  flow.pair('Certificate', `SHA-256 ${seal.fingerprint}`)
  flow.pair('Time-stamp', seal.hasTimestamp ? 'By a time-stamp authority, in the signature' : 'None')
  flow.paragraph(
    'A digital signature (PAdES) covers every byte of this file, this certificate included. Any later change to the file shows. ' +
      (seal.hasTimestamp ? 'Only proof that the certificates were valid may follow the signed part. ' : '') +
      `Check it in a PDF reader that verifies signatures, or at ${seal.verifyUrl}.`,
  )
}

const writeAudit = (flow: FlowPage, { audit, chainHead }: CertificateText): void => {
  flow.heading('Audit log')
  for (const { seq, at, type, actor, ip } of audit) {
    const who = actor.email ?? actor.name ?? actor.type
    flow.paragraph([`${seq}.`, utc(at), words(type), who, ip].filter(Boolean).join('  '), 7)
  }
  flow.gap()
  flow.pair('Last entry', String(chainHead.seq))
  flow.pair('Its hash', chainHead.hash)
  flow.paragraph(
    'Each entry contains the hash of the one before it. The full log is attached to this file as evidence.json.',
  )
}

const utc = (at: string | null): string | null => (at === null ? null : `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`)

const withVersion = (at: string | null, version: string | null): string | null =>
  at === null ? null : `${at}${version === null ? '' : ` (text ${version})`}`

/** `recipient_signed` → `Recipient signed` */
const words = (type: string): string => {
  const text = type.replaceAll('_', ' ').toLowerCase()
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
