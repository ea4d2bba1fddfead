/** Pure. What was changed about recipients while they were asked, and who asked for it, as the audit log has it. */
import type { AuditEntry } from '@chancery/contract/signing/documents.ts'
import type { RecipientChange } from '@chancery/contract/signing/evidence.ts'

type Known = Pick<RecipientChange, 'type' | 'from' | 'to' | 'endsLinks'>

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const personIn = (value: unknown): RecipientChange['from'] => {
  const { name, email } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  return { name: text(name), email: text(email) }
}

const readers: Record<string, (entry: AuditEntry) => Known> = {
  link_resent: ({ detail }) => {
    const to = personIn(detail)
    const previous = text(detail['previousEmail'])
    return previous === null
      ? { type: 'link_replaced', from: to, to, endsLinks: true }
      : { type: 'email_corrected', from: { ...to, email: previous }, to, endsLinks: true }
  },
  link_copied: ({ detail }) => {
    const person = personIn(detail)
    return { type: 'link_copied', from: person, to: person, endsLinks: false }
  },
  recipient_replaced: ({ detail: { from, to } }) => {
    return { type: 'recipient_replaced', from: personIn(from), to: personIn(to), endsLinks: true }
  },
  delegated: ({ detail: { from, to } }) => {
    return { type: 'delegated', from: personIn(from), to: personIn(to), endsLinks: true }
  },
  not_me: ({ actor, detail: { email, endsLinks = true } }) => {
    return { type: 'not_me', from: { name: actor.name, email: text(email) }, to: null, endsLinks: endsLinks === true }
  },
}

export const recipientChanges = (audit: readonly AuditEntry[]): RecipientChange[] =>
  audit.flatMap((entry) => {
    const read = readers[entry.type]
    const { name, email } = entry.actor
    return read ? [{ at: entry.at, by: { name, email }, ...read(entry) }] : []
  })
