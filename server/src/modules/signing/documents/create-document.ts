/** Makes a draft from uploaded files. They are made PDFs and inspected before the transaction, which then claims them all or none. */
import type { Db } from '#kernel/db/database.ts'
import { claimRequestKeyUnscoped, findRequestKeyUnscoped } from '#kernel/db/request-keys.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { UploadedFile } from '#kernel/http/bodies/upload.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import type { PdfFacts } from '#modules/pdf/index.ts'
import type { SigningContext, Source } from '../context.ts'
import { chainStart } from '../evidence/chain.ts'
import { type NewEntry, record } from '../evidence/record.ts'
import { insertDocumentUnscoped, type Kind } from '../queries/documents.ts'
import { insertFilesUnscoped, insertOriginalUnscoped } from '../queries/files.ts'
import { requireStorage } from './quota.ts'
import { authorOf } from './with-document.ts'

type OriginalFile = Pick<UploadedFile, 'key' | 'sha256' | 'size' | 'name'>

export interface InspectedFile {
  /** The PDF. */
  file: OriginalFile
  facts: PdfFacts
  /** The uploaded file, if it was no PDF. */
  convertedFrom?: { name: string; sha256: string; type: string | undefined }
}

/** One after the other: each is a task of the limited child, whose queue is shared. */
export const inspectFiles = async (
  { pdfWork }: Pick<SigningContext, 'pdfWork'>,
  actor: Actor,
  files: readonly UploadedFile[],
): Promise<InspectedFile[]> => {
  const inspected: InspectedFile[] = []
  for (const upload of files) {
    const tenant = scopeOf(actor)
    const made = await pdfWork.convert(upload, tenant)
    const file = made ? { ...made, name: `${withoutEnding(upload.name)}.pdf` } : upload
    const facts = await pdfWork.inspect(file.key, tenant)
    if (facts.isEncrypted) throw new AppError('pdf_encrypted')
    const { name, sha256, type } = upload
    inspected.push({ file, facts, ...(made && { convertedFrom: { name, sha256, type } }) })
  }
  return inspected
}

interface Request {
  title?: string | undefined
  files: readonly UploadedFile[]
  from: Source
  /** `Idempotency-Key`: for a day it makes one document. */
  key?: string | undefined
}

export const createDocument = async (
  context: SigningContext,
  actor: Actor,
  { title, files, from, key }: Request,
): Promise<string> => {
  const { kernel } = context
  const request = { userId: actor.id, purpose: 'document', key }
  const known = await findRequestKeyUnscoped(kernel, kernel.db, request)
  if (known !== undefined) return known
  const inspected = await inspectFiles(context, actor, files)
  return kernel.db.transaction().execute(async (tx) => {
    const id = kernel.ids.next()
    const first = await claimRequestKeyUnscoped(kernel, tx, { ...request, resultId: id })
    if (first !== id) return first
    await requireStorage(context, tx, { owner: actor, inspected })
    const named = title ?? titleFrom(files[0]?.name)
    await insertDraft(context, tx, { id, maker: actor, kind: 'DOCUMENT', title: named })
    const by = authorOf({ actor, from })
    const added = await addOriginals(context, tx, { documentId: id, inspected, position: 0 })
    const entries: NewEntry[] = added.map((detail) => ({ type: 'file_added', by, detail }))
    await record(context, tx, {
      documentId: id,
      entries: [{ type: 'created', by, detail: { title: named } }, ...entries],
    })
    return id
  })
}

/** The future owner of the document. */
export type Maker = Pick<Actor, 'id' | 'name' | 'email' | 'organizationId'>

export const insertDraft = async (
  { kernel }: Pick<SigningContext, 'kernel'>,
  tx: Db,
  { id, maker, kind, title }: { id: string; maker: Maker; kind: Kind; title: string },
): Promise<void> => {
  const now = kernel.clock.now()
  await insertDocumentUnscoped(tx, {
    ...emptyDraft,
    id,
    kind,
    title,
    scopeId: scopeOf(maker),
    organizationId: maker.organizationId,
    ownerId: maker.id,
    ownerName: maker.name,
    ownerEmail: maker.email,
    auditHead: chainStart(id),
    createdAt: now,
    updatedAt: now,
  })
}

/** Claims the blobs and adds them after what is there. Answers what the audit log says of each. */
export const addOriginals = async (
  { kernel }: Pick<SigningContext, 'kernel'>,
  tx: Db,
  { documentId, inspected, position }: { documentId: string; inspected: readonly InspectedFile[]; position: number },
) => {
  const createdAt = kernel.clock.now()
  const details: Record<string, unknown>[] = []
  for (const [index, { file, facts, convertedFrom }] of inspected.entries()) {
    const [id, originalId] = [kernel.ids.next(), kernel.ids.next()]
    await kernel.blobs.claim(tx, file.key)
    const { key: blobKey, sha256, size: bytes, name } = file
    const { pageCount, pages, hasSignatures } = facts
    const original = { id: originalId, blobKey, sha256, bytes, pageCount, pages, hasSignatures, createdAt }
    await insertOriginalUnscoped(tx, original)
    await insertFilesUnscoped(tx, [{ id, documentId, originalId, position: position + index, name, createdAt }])
    details.push({ fileId: id, name, sha256, pageCount, hasSignatures, ...(convertedFrom && { convertedFrom }) })
  }
  return details
}

const emptyDraft = {
  message: null,
  summary: null,
  folder: null,
  language: 'en',
  state: 'DRAFT',
  signingOrder: 'PARALLEL',
  emailOtp: false,
  allowDelegation: false,
  expiresAt: null,
  reminderDays: null,
  nextReminderAt: null,
  reminderCount: 0,
  auditCount: 0,
  sealEpoch: 0,
  sealLeaseUntil: null,
  sealHolder: null,
  sealError: null,
  sealedKey: null,
  sealedSha256: null,
  sealedBytes: null,
  sealedAt: null,
  sealLevel: null,
  sealSigner: null,
  sealedFileId: null,
  certificateKey: null,
  certificateSha256: null,
  certificateBytes: null,
  sentAt: null,
  endedAt: null,
  deletedAt: null,
  correlationId: null,
  runId: null,
  runLine: null,
  runNode: null,
} as const

/** The file's name without its ending; a name that is nothing else keeps it. */
const titleFrom = (name = 'Document'): string => withoutEnding(name).slice(0, 200)

const withoutEnding = (name: string): string => name.replace(/\.(pdf|png|jpe?g|webp|docx|odt)$/i, '').trim() || name
