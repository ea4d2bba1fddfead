/** Files, certificate and audit log, for owners. */
import type { FileQuery } from '@chancery/contract/signing/documents.ts'
import type { z } from 'zod'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { replyWithBlob } from '#kernel/http/replies/blob-reply.ts'
import type { RawReply } from '#kernel/http/replies/raw-reply.ts'
import type { HttpCall } from '#kernel/http/route.ts'
import type { SigningContext } from '../context.ts'
import { readEvidence } from '../evidence/certificate.ts'
import { checkChain } from '../evidence/chain.ts'
import { type Author, type NewEntry, record } from '../evidence/record.ts'
import { presentSeal } from '../present.ts'
import { listEntriesUnscoped } from '../queries/audit.ts'
import { type DocumentRow, lockDocumentUnscoped } from '../queries/documents.ts'
import { type FileRow, listFilesUnscoped } from '../queries/files.ts'
import { authorOf, getDocument } from './with-document.ts'

interface Wanted {
  actor: Actor
  id: string
  from: HttpCall
  version: z.output<typeof FileQuery>['version']
  fileId?: string | undefined
}

export const replyWithFile = async (context: SigningContext, wanted: Wanted): Promise<RawReply> => {
  const { actor, id, from, version } = wanted
  const document = await getDocument(context.kernel.db, actor, { id })
  if (version === 'sealed') return replyWithSealed(context, document, { http: from, by: authorOf({ actor, from }) })
  if (version === 'uploaded') return replyWithUpload(context, document, wanted)
  return replyWithOriginal(context, document, { http: from, fileId: wanted.fileId })
}

const findFile = async (db: Db, document: DocumentRow, fileId: string | undefined): Promise<FileRow> => {
  const files = await listFilesUnscoped(db, document.id)
  const file = fileId === undefined ? files[0] : files.find(({ id }) => id === fileId)
  if (!file) throw new AppError('file_not_found')
  return file
}

/**
 * What came, with everything that was removed from it: for the sender alone, who sent it. Others, also their admins,
 * read what is signed.
 */
const replyWithUpload = async (
  context: SigningContext,
  document: DocumentRow,
  { actor, from, fileId }: Wanted,
): Promise<RawReply> => {
  const { db, blobs } = context.kernel
  if (document.ownerId !== actor.id)
    throw new AppError('forbidden', { detail: 'Only the sender can download what was uploaded.' })
  const { id, uploadKey, uploadSha256, uploadBytes, uploadName, uploadType } = await findFile(db, document, fileId)
  if (uploadKey === null || uploadSha256 === null || uploadBytes === null)
    throw new AppError('file_not_found', { detail: 'This file was added before uploads were kept.' })
  const detail = { fileId: id, name: uploadName, sha256: uploadSha256 }
  await noteDownload(context, document, {
    http: from,
    entry: { type: 'upload_downloaded', by: authorOf({ actor, from }), detail },
  })
  const shown = { name: uploadName ?? '', contentType: uploadType ?? 'application/octet-stream' }
  return replyWithBlob({ blobs, http: from }, { ...shown, key: uploadKey, size: uploadBytes, sha256: uploadSha256 })
}

export const replyWithOriginal = async (
  { kernel: { db, blobs } }: SigningContext,
  document: DocumentRow,
  { http, fileId }: { http: HttpCall; fileId?: string | undefined },
): Promise<RawReply> => {
  const { blobKey: key, name, bytes: size, sha256 } = await findFile(db, document, fileId)
  return replyWithBlob({ blobs, http }, { key, name, contentType: 'application/pdf', size, sha256 })
}

/** Once for each download, at its first bytes. */
const noteDownload = async (
  context: SigningContext,
  { id: documentId }: DocumentRow,
  { http, entry }: { http: HttpCall; entry: NewEntry },
): Promise<void> => {
  if (http.method !== 'GET' || http.header('range') !== undefined) return
  await context.kernel.db.transaction().execute(async (tx) => {
    await lockDocumentUnscoped(tx, documentId)
    await record(context, tx, { documentId, entries: [entry] })
  })
}

export const replyWithSealed = async (
  context: SigningContext,
  document: DocumentRow,
  { http, by }: { http: HttpCall; by: Author },
): Promise<RawReply> => {
  const { blobs } = context.kernel
  const { title, sealedKey, sealedSha256, sealedBytes } = document
  if (sealedKey === null || sealedSha256 === null || sealedBytes === null) throw new AppError('document_not_completed')
  await noteDownload(context, document, { http, entry: { type: 'downloaded', by } })
  const file = { key: sealedKey, name: `${title}.pdf`, contentType: 'application/pdf' }
  return replyWithBlob({ blobs, http }, { ...file, size: sealedBytes, sha256: sealedSha256 })
}

export const readAudit = async ({ kernel: { db } }: SigningContext, actor: Actor, id: string) => {
  // The head is read first: an entry that is added meanwhile makes the log longer, never shorter.
  const { auditCount } = await getDocument(db, actor, { id })
  const entries = await listEntriesUnscoped(db, id)
  return { documentId: id, valid: checkChain(id, entries, auditCount) === undefined, entries }
}

export const readCertificate = async (context: SigningContext, actor: Actor, id: string) => {
  const { db } = context.kernel
  const document = await getDocument(db, actor, { id })
  const { state, endedAt } = document
  return {
    ...(await readEvidence(context, db, document)),
    completedAt: state === 'COMPLETED' ? (endedAt?.toISOString() ?? null) : null,
    seal: presentSeal(document),
  }
}
