/** Adds, removes and orders the files of a draft. */
import { maxFiles } from '@chancery/contract/signing/documents.ts'
import { AppError } from '#kernel/errors.ts'
import { problem } from '#kernel/http/bodies/validation.ts'
import type { SigningContext } from '../context.ts'
import { record } from '../evidence/record.ts'
import { updateDocumentUnscoped } from '../queries/documents.ts'
import { deleteFilesUnscoped, listFilesUnscoped, moveFileUnscoped } from '../queries/files.ts'
import { addPrepared, type Uploads, withPreparedFiles } from './prepare-files.ts'
import { ownerOf, requireStorage } from './quota.ts'
import { requireUnchanged } from './versions.ts'
import { authorOf, type Change, getDocument, withDraft } from './with-document.ts'

/** The document is looked up before the files are read, so that a stranger's upload is refused at once. */
export const addFiles = async (context: SigningContext, change: Change, uploads: Uploads): Promise<void> => {
  await getDocument(context.kernel.db, change.actor, change)
  await withPreparedFiles(context, change.actor, uploads, (files) =>
    withDraft(context, change, async (tx, document) => {
      const { id: documentId } = document
      const present = await listFilesUnscoped(tx, documentId)
      if (present.length + files.length > maxFiles) throw new AppError('too_many_files')
      await requireStorage(context, tx, { owner: ownerOf(document), files })
      const position = Math.max(-1, ...present.map((file) => file.position)) + 1
      const added = await addPrepared(context, tx, { documentId, files, position })
      const by = authorOf(change)
      await updateDocumentUnscoped(tx, documentId, { updatedAt: context.kernel.clock.now() })
      await record(context, tx, { documentId, entries: added.map((detail) => ({ type: 'file_added', by, detail })) })
    }),
  )
}

/** With the fields that were placed on it. The last file stays: a document without one is deleted instead. */
export const removeFile = (context: SigningContext, change: Change, fileId: string): Promise<void> =>
  withDraft(context, change, async (tx, { id: documentId }) => {
    const files = await listFilesUnscoped(tx, documentId)
    const file = files.find(({ id }) => id === fileId)
    if (!file) throw new AppError('file_not_found')
    if (files.length === 1) throw new AppError('last_file')
    await context.kernel.blobs.release(tx, await deleteFilesUnscoped(tx, [fileId]))
    await updateDocumentUnscoped(tx, documentId, { updatedAt: context.kernel.clock.now() })
    const { name, sha256 } = file
    await record(context, tx, {
      documentId,
      entries: [{ type: 'file_removed', by: authorOf(change), detail: { fileId, name, sha256 } }],
    })
  })

export const orderFiles = (context: SigningContext, change: Change, fileIds: readonly string[]): Promise<void> =>
  withDraft(context, change, async (tx, { id: documentId }) => {
    await requireUnchanged(tx, { documentId, part: 'files', ifMatch: change.ifMatch })
    const present = (await listFilesUnscoped(tx, documentId)).map(({ id }) => id)
    const isSame = present.length === fileIds.length && new Set(fileIds).size === fileIds.length
    if (!isSame || !fileIds.every((id) => present.includes(id)))
      throw problem(['fileIds'], 'Name every file of the document once.', 'not_the_same_files')
    for (const [position, id] of fileIds.entries()) await moveFileUnscoped(tx, id, position)
    await updateDocumentUnscoped(tx, documentId, { updatedAt: context.kernel.clock.now() })
    await record(context, tx, {
      documentId,
      entries: [{ type: 'files_ordered', by: authorOf(change), detail: { fileIds: [...fileIds] } }],
    })
  })
