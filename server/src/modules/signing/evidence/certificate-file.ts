/**
 * The certificate of completion as a PDF of its own, sealed like the document. It is made once, when it is first asked
 * for, and names the sealed document by its hash.
 */
import { AppError } from '#kernel/errors.ts'
import { replyWithBlob } from '#kernel/http/replies/blob-reply.ts'
import type { RawReply } from '#kernel/http/replies/raw-reply.ts'
import type { HttpCall } from '#kernel/http/route.ts'
import type { SigningContext } from '../context.ts'
import { type DocumentRow, lockDocumentUnscoped, updateDocumentUnscoped } from '../queries/documents.ts'
import { readEvidence } from './certificate.ts'

export const replyWithCertificate = async (
  context: SigningContext,
  document: DocumentRow,
  http: HttpCall,
): Promise<RawReply> => {
  if (document.state !== 'COMPLETED') throw new AppError('document_not_completed')
  const file = fileOf(document) ?? (await makeFile(context, document))
  const shown = { name: `${document.title} - certificate.pdf`, contentType: 'application/pdf' }
  return replyWithBlob({ blobs: context.kernel.blobs, http }, { ...file, ...shown })
}

const fileOf = ({ certificateKey: key, certificateSha256: sha256, certificateBytes: size }: DocumentRow) =>
  key === null || sha256 === null || size === null ? undefined : { key, sha256, size }

/** When two ask at once, the first to store it wins and both get the same file. The other's blob is swept. */
const makeFile = async (context: SigningContext, document: DocumentRow) => {
  const { db, blobs } = context.kernel
  const { id: documentId, title, organizationId, sealedSha256, sealedBytes, sealLevel, scopeId: tenant } = document
  const evidence = await readEvidence(context, db, document)
  const made = await context.pdfWork.seal({
    documentId,
    title,
    files: [],
    evidence: {
      ...evidence,
      sealedFile: { sha256: sealedSha256 ?? '', bytes: sealedBytes ?? 0, level: sealLevel ?? '' },
    },
    organizationId,
    tenant,
  })
  return db.transaction().execute(async (tx) => {
    const locked = await lockDocumentUnscoped(tx, documentId)
    const stored = locked && fileOf(locked)
    if (stored) return stored
    await blobs.claim(tx, made.blobId)
    const { blobId: key, sha256, bytes: size } = made
    await updateDocumentUnscoped(tx, documentId, {
      certificateKey: key,
      certificateSha256: sha256,
      certificateBytes: size,
    })
    return { key, sha256, size }
  })
}
