/** Pure. What became of a recipient's fields: their values when the document was sent and when it was signed. */
import type { AuditEntry } from '@chancery/contract/signing/documents.ts'
import type { EvidenceField, EvidenceValue } from '@chancery/contract/signing/evidence.ts'
import type { DocumentRow } from '../queries/documents.ts'
import type { FieldRow } from '../queries/fields.ts'
import type { RecipientRow } from '../queries/recipients.ts'
import { loggedValues } from './logged-values.ts'

/** What the audit log says about fields, by their ids. */
export interface FieldLog {
  /** The sender's values as the document was sent; undefined: there was one, and the log is older than its recording. */
  given: ReadonlyMap<string, EvidenceValue | null | undefined>
  /** When the recipient changed them. */
  changedAt: ReadonlyMap<string, readonly string[]>
  /** As they were signed. */
  signed: ReadonlyMap<string, EvidenceValue | null>
}

export const readFieldLog = (audit: readonly AuditEntry[]): FieldLog => ({
  given: givenValues(audit),
  changedAt: changeTimes(audit),
  signed: signedValues(audit),
})

interface Situation {
  document: Pick<DocumentRow, 'sentAt'>
  recipient: Pick<RecipientRow, 'signedAt'>
  log: FieldLog
}

export const fieldFacts = (fields: readonly FieldRow[], { document, recipient, log }: Situation): EvidenceField[] => {
  const unsigned = fields.filter(({ id }) => !log.signed.has(id))
  const current = loggedValues(unsigned.map(({ value }) => value))
  const values = new Map([...log.signed, ...unsigned.map(({ id }, index) => [id, current[index] ?? null] as const)])
  return fields.map(({ id, fileId, page, type, label, filledBy }) => {
    const after = values.get(id) ?? null
    const changes = log.changedAt.get(id) ?? []
    const at = {
      SENDER: document.sentAt?.toISOString() ?? null,
      SIGNER: changes.at(-1) ?? null,
      SERVICE: recipient.signedAt?.toISOString() ?? null,
    }
    return {
      id,
      fileId,
      page,
      type,
      label,
      ...beforeOf(log.given, { id, after: filledBy === 'SENDER' ? after : null }),
      after,
      filledBy,
      at: filledBy === null ? null : at[filledBy],
      changes: changes.length,
    }
  })
}

const givenValues = (audit: readonly AuditEntry[]): FieldLog['given'] => {
  const sent = audit.find(({ type }) => type === 'sent')?.detail['prefilled']
  const list = Array.isArray(sent) ? (sent as { fieldId: string; value?: EvidenceValue | null }[]) : []
  return new Map(list.map(({ fieldId, value }) => [fieldId, value]))
}

const beforeOf = (
  given: FieldLog['given'],
  { id, after }: { id: string; after: EvidenceValue | null },
): Pick<EvidenceField, 'before'> => {
  const before = given.get(id) ?? after
  if (before !== null) return { before }
  return given.has(id) && given.get(id) === undefined ? {} : { before: null }
}

const changeTimes = (audit: readonly AuditEntry[]): FieldLog['changedAt'] => {
  const times = new Map<string, string[]>()
  for (const { type, at, detail } of audit) {
    if (type !== 'fields_filled') continue
    for (const id of changedIn(detail)) {
      const known = times.get(id)
      if (known) known.push(at)
      else times.set(id, [at])
    }
  }
  return times
}

const signedValues = (audit: readonly AuditEntry[]): FieldLog['signed'] =>
  new Map(
    audit.flatMap(({ type, detail }) => {
      const values = type === 'signed' ? detail['values'] : undefined
      const list = Array.isArray(values) ? (values as { fieldId: string; value: EvidenceValue | null }[]) : []
      return list.map(({ fieldId, value }) => [fieldId, value] as const)
    }),
  )

/** Entries from before values were logged name the fields alone. */
const changedIn = ({ changes, fieldIds }: Record<string, unknown>): string[] => {
  if (Array.isArray(changes)) return (changes as { fieldId: string }[]).map(({ fieldId }) => fieldId)
  return Array.isArray(fieldIds) ? (fieldIds as string[]) : []
}
