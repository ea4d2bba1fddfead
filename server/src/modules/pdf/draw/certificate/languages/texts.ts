/** The words of a certificate. Every language has all of them; text that can't be drawn is found by a test. */
import type { Authentication } from '@chancery/contract/signing/documents.ts'
import type { AuditType, RecipientChange } from '@chancery/contract/signing/evidence.ts'
import type { RemovedKind } from '@chancery/contract/signing/prepared.ts'
import type { FieldType, RecipientRole, RecipientState } from '@chancery/contract/signing/signing.ts'

export interface CertificateTexts {
  title: string
  page(page: number, pages: number): string
  document: {
    title: string
    id: string
    organization: string
    sender: string
    created: string
    sent: string
    completed: string
    sealedDocument: string
    level: string
  }
  bytes(count: string): string
  overview: { heading: string; person: string; role: string; result: string }
  roles: Record<RecipientRole, string>
  states: Record<RecipientState, string>
  /** Instead of `states.SIGNED` for an approver. */
  approved: string
  files: {
    heading: string
    name: string
    pages: string
    /** The SHA-256 of the file that was shown and signed. */
    signed: string
    uploaded: string
    removed: string
    earlier: string
    earlierNote: string
    kinds: Record<RemovedKind, string>
  }
  recipient: {
    heading: string
    email: string
    role: string
    identified: string
    proofs: Record<Authentication, string>
    code: string
    notified: string
    read: string
    byCopiedLink: string
    opened: string
    notOpened: string
    consented: string
    consentText(version: string): string
    signed: string
    approved: string
    duration: string
    timeZone: string
    device: string
  }
  fields: {
    field: string
    page: string
    before: string
    after: string
    changed: string
    names: Record<FieldType, string>
    drawn: string
    typed: string
    checked: string
    unchecked: string
    unknown: string
    bySender: string
    byService: string
    characters(count: string): string
  }
  changes: {
    heading: string
    askedBy: string
    unknown: string
    sentences: Record<RecipientChange['type'], (from: string, to: string, endsLinks: boolean) => string>
  }
  seal: {
    heading: string
    sealed: string
    by: string
    issuer: string
    selfMade: string
    certificate: string
    timestamp: string
    stamped: string
    notStamped: string
    compared: string
    comparedPages(pages: string): string
    comparison: string
    covers: string
    mayFollow: string
    check(url: string): string
  }
  audit: {
    heading: string
    time: string
    event: string
    by: string
    address: string
    hash: string
    system: string
    lastEntry: string
    lastHash: string
    note: string
    more(entries: string): string
    events: Record<AuditType, string>
  }
}
