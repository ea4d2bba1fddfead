/**
 * The one way for files into documents. Of each upload one file is made, in the limited child: it is shown, hashed and
 * sealed. The upload is kept beside it as evidence. Both are claimed in the transaction that adds them, or neither is.
 */
import type { FilesForm } from '@chancery/contract/signing/documents.ts'
import type { z } from 'zod'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { UploadedFile } from '#kernel/http/bodies/upload.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import type { PreparedFile, PrepareOptions } from '#modules/pdf/index.ts'
import type { SigningContext } from '../context.ts'
import { insertFilesUnscoped, insertOriginalUnscoped } from '../queries/files.ts'

export interface PreparedUpload {
  /** Kept as evidence. */
  upload: Pick<UploadedFile, 'key' | 'sha256' | 'size' | 'name'> & { type: string | undefined }
  /** The file's name as a PDF. */
  name: string
  isConverted: boolean
  prepared: PreparedFile
}

export interface Uploads {
  files: readonly UploadedFile[]
  form: Pick<z.output<typeof FilesForm>, 'password' | 'acceptsSigned'>
}

/**
 * `work` claims what it keeps; the rest is deleted when it ends. One file after the other: each is a task of the limited
 * child, whose queue is shared.
 */
export const withPreparedFiles = async <Result>(
  context: SigningContext,
  actor: Actor,
  { files, form }: Uploads,
  work: (prepared: readonly PreparedUpload[]) => Promise<Result>,
): Promise<Result> => {
  const { blobs, failpoints } = context.kernel
  const prepared: PreparedUpload[] = []
  try {
    for (const file of files) prepared.push(await prepareUpload(context, { file, tenant: scopeOf(actor), form }))
    await failpoints.hit('signing: files prepared')
    return await work(prepared)
  } catch (problem) {
    throw files.length > 1 ? naming(files[prepared.length], problem) : problem
  } finally {
    await blobs.discardUnclaimed(prepared.map((one) => one.prepared.original.key))
  }
}

/** Of several files the sender is told which one was refused. Undefined: none of them. */
const naming = (file: UploadedFile | undefined, problem: unknown): unknown =>
  file && problem instanceof AppError && problem.kind === 'invalid'
    ? new AppError(problem.code, { detail: `${file.name}: ${problem.message}`, cause: problem })
    : problem

interface Preparing {
  file: UploadedFile
  tenant: string
  form: Uploads['form']
}

const prepareUpload = async (
  { kernel: { blobs }, pdfWork }: SigningContext,
  { file: upload, tenant, form }: Preparing,
): Promise<PreparedUpload> => {
  const made = await pdfWork.convert(upload, tenant)
  try {
    const prepared = await pdfWork.prepare((made ?? upload).key, tenant, optionsOf(form))
    const name = made ? `${withoutEnding(upload.name)}.pdf` : upload.name
    return { upload, name, isConverted: made !== undefined, prepared }
  } finally {
    if (made) await blobs.discardUnclaimed([made.key])
  }
}

const optionsOf = ({ password, acceptsSigned }: Uploads['form']): PrepareOptions => ({
  ...(password !== undefined && { password }),
  acceptsSigned: acceptsSigned === 'true',
})

export const withoutEnding = (name: string): string =>
  name.replace(/\.(pdf|png|jpe?g|webp|docx|odt)$/i, '').trim() || name

/** Claims the blobs and adds the files after what is there. Answers what the audit log says of each. */
export const addPrepared = async (
  { kernel }: Pick<SigningContext, 'kernel'>,
  tx: Db,
  { documentId, files, position }: { documentId: string; files: readonly PreparedUpload[]; position: number },
): Promise<Record<string, unknown>[]> => {
  const createdAt = kernel.clock.now()
  const details: Record<string, unknown>[] = []
  for (const [index, file] of files.entries()) {
    const [id, originalId] = [kernel.ids.next(), kernel.ids.next()]
    const { upload, prepared, name } = file
    for (const { key } of [upload, prepared.original]) await kernel.blobs.claim(tx, key)
    await insertOriginalUnscoped(tx, { id: originalId, createdAt, ...originalOf(file) })
    await insertFilesUnscoped(tx, [{ id, documentId, originalId, position: position + index, name, createdAt }])
    details.push({ fileId: id, ...detailOf(file) })
  }
  return details
}

export const originalOf = ({ upload, prepared }: PreparedUpload) => {
  const { original, facts, drawn, removed, earlierSignatures } = prepared
  return {
    blobKey: original.key,
    sha256: original.sha256,
    bytes: original.size,
    pageCount: facts.pageCount,
    pages: facts.pages,
    hasSignatures: facts.hasSignatures,
    uploadKey: upload.key,
    uploadSha256: upload.sha256,
    uploadBytes: upload.size,
    uploadName: upload.name,
    uploadType: upload.type ?? 'application/octet-stream',
    drawn,
    removed: [...removed],
    earlierSignatures: earlierSignatures.map(({ name, at, subject }) => {
      return { name: storable(name), at, subject: storable(subject) }
    }),
    formFields: facts.formFields.map((field) => ({ ...field, name: storable(field.name) })),
  }
}

const longestName = 200
/** What a foreign file says, so that the database can hold it and a page can show it. */
const storable = <Text extends string | null>(text: Text): Text =>
  (text
    ?.slice(0, longestName)
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ') ?? null) as Text

export const detailOf = ({ upload, name, isConverted, prepared }: PreparedUpload): Record<string, unknown> => {
  const { original, facts, removed, earlierSignatures } = prepared
  const { pageCount, hasSignatures } = facts
  return {
    name,
    sha256: original.sha256,
    uploadSha256: upload.sha256,
    pageCount,
    hasSignatures,
    ...(isConverted && { convertedFrom: { name: upload.name, sha256: upload.sha256, type: upload.type } }),
    ...(removed.length > 0 && { removed: removed.map(({ kind, count }) => ({ kind, count })) }),
    ...(earlierSignatures.length > 0 && { earlierSignatures: earlierSignatures.length }),
  }
}
