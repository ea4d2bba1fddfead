/** Appends to a document's audit log. The caller holds the document's lock, so entries follow one another. */
import type { AuditEntry } from '@chancery/contract/signing/documents.ts'
import type { AuditType } from '@chancery/contract/signing/evidence.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { SigningContext, Source } from '../context.ts'
import { insertEntriesUnscoped } from '../queries/audit.ts'
import { findDocumentUnscoped, updateDocumentUnscoped } from '../queries/documents.ts'
import { hashEntry } from './chain.ts'

export type Author =
  | { kind: 'user'; actor: Pick<Actor, 'name' | 'email'>; from: Source }
  | { kind: 'recipient'; recipient: { name: string; email: string }; from: Source }
  | { kind: 'system' }

export interface NewEntry {
  type: AuditType
  by: Author
  /** Never a token or a code. */
  detail?: Record<string, unknown>
}

const authorOf = (by: Author) => {
  if (by.kind === 'system') return { actor: { type: 'system', name: null, email: null }, ip: null, userAgent: null }
  const { name, email } = by.kind === 'user' ? by.actor : by.recipient
  return { actor: { type: by.kind, name, email }, ip: by.from.ip, userAgent: by.from.userAgent }
}

/** Reads the chain's head again, since a transaction may append more than once. */
export const record = async (
  { kernel }: Pick<SigningContext, 'kernel'>,
  tx: Db,
  { documentId, entries }: { documentId: string; entries: readonly NewEntry[] },
): Promise<void> => {
  const document = await findDocumentUnscoped(tx, documentId)
  if (!document || entries.length === 0) return
  const at = kernel.clock.now().toISOString()
  let { auditCount: seq, auditHead: prevHash } = document
  const hashed = entries.map(({ type, by, detail = {} }): AuditEntry => {
    seq += 1
    const entry = { seq, type, at, ...authorOf(by), detail, prevHash }
    const hash = hashEntry(entry)
    prevHash = hash
    return { ...entry, hash }
  })
  await insertEntriesUnscoped(tx, documentId, hashed)
  await updateDocumentUnscoped(tx, documentId, { auditCount: seq, auditHead: prevHash })
}
