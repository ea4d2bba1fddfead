/** Files, certificate and audit log, for owners. */
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { replyWithBlob } from '#kernel/http/replies/blob-reply.ts'
import type { RawReply } from '#kernel/http/replies/raw-reply.ts'
import type { HttpCall } from '#kernel/http/route.ts'
import type { SigningContext } from '../context.ts'
import { readEvidence } from '../evidence/certificate.ts'
import { checkChain } from '../evidence/chain.ts'
import { type Author, record } from '../evidence/record.ts'
import { presentSeal } from '../present.ts'
import { listEntriesUnscoped } from '../queries/audit.ts'
import { type DocumentRow, lockDocumentUnscoped } from '../queries/documents.ts'
import { listFilesUnscoped } from '../queries/files.ts'
import { authorOf, getDocument } from './with-document.ts'

interface Wanted {
  actor: Actor
  id: string
  from: HttpCall
  version: 'original' | 'sealed'
  fileId?: string | undefined
}

export const replyWithFile = async (context: SigningContext, wanted: Wanted): Promise<RawReply> => {
  const { actor, id, from, version } = wanted
  const document = await getDocument(context.kernel.db, actor, { id })
  if (version === 'sealed') return replyWithSealed(context, document, { http: from, by: authorOf({ actor, from }) })
  return replyWithOriginal(context, document, { http: from, fileId: wanted.fileId })
}

export const replyWithOriginal = async (
  { kernel: { db, blobs } }: SigningContext,
  document: DocumentRow,
  { http, fileId }: { http: HttpCall; fileId?: string | undefined },
): Promise<RawReply> => {
  const files = await listFilesUnscoped(db, document.id)
  const file = fileId === undefined ? files[0] : files.find(({ id }) => id === fileId)
  if (!file) throw new AppError('file_not_found')
  const { blobKey: key, name, bytes: size, sha256 } = file
  return replyWithBlob({ blobs, http }, { key, name, contentType: 'application/pdf', size, sha256 })
}

/** The log notes a download once, at its first bytes. */
export const replyWithSealed = async (
  context: SigningContext,
  document: DocumentRow,
  { http, by }: { http: HttpCall; by: Author },
): Promise<RawReply> => {
  const { db, blobs } = context.kernel
  const { id, title, sealedKey, sealedSha256, sealedBytes } = document
  if (sealedKey === null || sealedSha256 === null || sealedBytes === null) throw new AppError('document_not_completed')
  const isFirst = http.method === 'GET' && http.header('range') === undefined
  if (isFirst)
    await db.transaction().execute(async (tx) => {
      await lockDocumentUnscoped(tx, id)
      await record(context, tx, { documentId: id, entries: [{ type: 'downloaded', by }] })
    })
  const file = { key: sealedKey, name: `${title}.pdf`, contentType: 'application/pdf' }
  return replyWithBlob({ blobs, http }, { ...file, size: sealedBytes, sha256: sealedSha256 })
}

export const readAudit = async ({ kernel: { db } }: SigningContext, actor: Actor, id: string) => {
  // The head is read first: an entry that is added meanwhile makes the log longer, never shorter.
  const { auditCount } = await getDocument(db, actor, { id })
  const entries = await listEntriesUnscoped(db, id)
  return { documentId: id, valid: checkChain(id, entries, auditCount) === undefined, entries }
}

const iso = (time: Date | null): string | null => time?.toISOString() ?? null

export const readCertificate = async (context: SigningContext, actor: Actor, id: string) => {
  const { db } = context.kernel
  const document = await getDocument(db, actor, { id })
  const facts = await readEvidence(context, db, document)
  const { documentId, title, organizationName, owner, files, audit, chainHead } = facts
  return {
    documentId,
    title,
    organizationName,
    owner,
    files,
    changes: facts.changes,
    audit,
    chainHead,
    createdAt: document.createdAt.toISOString(),
    sentAt: iso(document.sentAt),
    completedAt: document.state === 'COMPLETED' ? iso(document.endedAt) : null,
    recipients: facts.recipients.map((recipient) => ({
      ...recipient,
      notifiedAt: iso(recipient.notifiedAt),
      openedAt: iso(recipient.openedAt),
      consentedAt: iso(recipient.consentedAt),
      signedAt: iso(recipient.signedAt),
    })),
    seal: presentSeal(document),
  }
}
