/**
 * Files from before uploads were rebuilt: before anybody is asked to sign one, a file is made of it as of any upload. A
 * template or draft has that file from then on, and what it had becomes its upload. Documents that were sent keep what
 * their recipients saw.
 */
import { AppError } from '#kernel/errors.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import type { SigningContext } from '../context.ts'
import { record } from '../evidence/record.ts'
import {
  deleteUnusedOriginalsUnscoped,
  type FileRow,
  insertOriginalUnscoped,
  listFilesUnscoped,
  replaceOriginalUnscoped,
} from '../queries/files.ts'
import { detailOf, originalOf, type PreparedUpload } from './prepare-files.ts'
import { authorOf, type Change, getDocument, withDocument } from './with-document.ts'

/** Refuses as an upload is refused. That a file is signed was told when it came. */
export const prepareEarlierFiles = async (context: SigningContext, change: Change): Promise<void> => {
  const { db } = context.kernel
  const document = await getDocument(db, change.actor, change)
  if (document.state !== 'DRAFT') return
  for (const file of await listFilesUnscoped(db, document.id))
    if (file.uploadKey === null) await prepareEarlier(context, change, file)
}

const prepareEarlier = async (context: SigningContext, change: Change, file: FileRow): Promise<void> => {
  const { blobs } = context.kernel
  const prepared = await context.pdfWork.prepare(file.blobKey, scopeOf(change.actor), { acceptsSigned: true })
  const staged = [prepared.original.key]
  try {
    const upload = await copyOf(context, file)
    staged.push(upload.key)
    await replace(context, change, { file, made: { upload, name: file.name, isConverted: false, prepared } })
  } finally {
    await blobs.discardUnclaimed(staged)
  }
}

/** The bytes belong to the original, which documents that were sent may still have. */
const copyOf = async ({ kernel: { blobs } }: SigningContext, { blobKey, name }: FileRow) => {
  const blob = await blobs.get(blobKey)
  if (!blob) throw new AppError('original_changed')
  const copy = await blobs.stage(blob.stream, { area: 'signing', contentType: 'application/pdf' })
  return { ...copy, name, type: 'application/pdf' as const }
}

/** When two prepare it at once, the first wins. */
const replace = (
  context: SigningContext,
  change: Change,
  { file, made }: { file: FileRow; made: PreparedUpload },
): Promise<void> =>
  withDocument(context, change, async (tx, { id: documentId, state }) => {
    const { blobs, clock, ids } = context.kernel
    const original = { id: ids.next(), createdAt: clock.now(), ...originalOf(made) }
    if (state !== 'DRAFT') return
    await insertOriginalUnscoped(tx, original)
    const isReplaced = await replaceOriginalUnscoped(tx, { fileId: file.id, from: file.originalId, to: original.id })
    if (!isReplaced) {
      await deleteUnusedOriginalsUnscoped(tx, [original.id])
      return
    }
    for (const { key } of [made.upload, made.prepared.original]) await blobs.claim(tx, key)
    await blobs.release(tx, await deleteUnusedOriginalsUnscoped(tx, [file.originalId]))
    const [by, { id: fileId, name, sha256 }] = [authorOf(change), file]
    await record(context, tx, {
      documentId,
      entries: [
        { type: 'file_removed', by, detail: { fileId, name, sha256 } },
        { type: 'file_added', by, detail: { fileId, ...detailOf(made) } },
      ],
    })
  })
