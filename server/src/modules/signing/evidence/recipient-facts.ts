/** Pure. What the audit log says about a recipient: the files that they were given, and where they acted from. */
import type { AuditEntry } from '@chancery/contract/signing/documents.ts'
import type { EvidenceDevice, EvidenceView } from '@chancery/contract/signing/evidence.ts'

interface Recipient {
  id: string
  email: string
}

/** Entries of who had this place under another email address, before it was corrected, are left out. */
const entriesOf = (audit: readonly AuditEntry[], { id, email }: Recipient): AuditEntry[] =>
  audit.filter(
    ({ actor, detail }) => actor.type === 'recipient' && actor.email === email && detail['recipientId'] === id,
  )

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const ways: readonly EvidenceView['via'][] = ['link', 'copied_link', 'account']

/** What was fetched before they asked to open it counts only where they didn't fetch it again. */
export const viewsOf = (audit: readonly AuditEntry[], recipient: Recipient): EvidenceView[] => {
  const fetched = entriesOf(audit, recipient).filter(({ type }) => type === 'file_fetched')
  const asked = new Set(fetched.filter(({ detail }) => detail['asked'] === true).map(({ detail }) => detail['fileId']))
  return fetched
    .filter(({ detail }) => detail['asked'] === true || !asked.has(detail['fileId']))
    .map(({ at, detail }) => ({
      fileId: text(detail['fileId']),
      name: text(detail['name']),
      sha256: text(detail['sha256']),
      pageCount: Number(detail['pageCount']),
      at,
      via: ways.find((way) => way === detail['via']) ?? 'link',
    }))
}

/** In the order of their first entries. */
export const devicesOf = (audit: readonly AuditEntry[], recipient: Recipient): EvidenceDevice[] => {
  const devices = new Map<string, EvidenceDevice>()
  for (const { ip, userAgent, at } of entriesOf(audit, recipient)) {
    const key = JSON.stringify([ip, userAgent])
    const known = devices.get(key)
    devices.set(key, { ip, userAgent, firstAt: known?.firstAt ?? at, lastAt: at })
  }
  return [...devices.values()]
}
