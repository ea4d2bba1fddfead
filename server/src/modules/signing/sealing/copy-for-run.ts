/**
 * A document that a run sent is also a file of its owner, so that the next node can use it by its id. The copy has bytes
 * of its own: deleting the file leaves the sealed document alone.
 */
import type { StagedBlob } from '#kernel/blobs/index.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { SealedFile } from '#modules/pdf/index.ts'
import type { SigningContext } from '../context.ts'
import type { DocumentRow } from '../queries/documents.ts'

const contentType = 'application/pdf'

export const stageCopy = async (
  { kernel: { blobs } }: SigningContext,
  { claimed, sealed }: { claimed: DocumentRow; sealed: SealedFile },
): Promise<StagedBlob | undefined> => {
  const source = claimed.runId === null ? undefined : await blobs.get(sealed.blobId)
  return source && blobs.stage(source.stream, { area: 'files', contentType })
}

/** Null where the organization's storage is full: the document is completed all the same. */
export const storeCopy = async (
  { files, kernel }: SigningContext,
  tx: Db,
  { claimed, copy }: { claimed: DocumentRow; copy: StagedBlob },
): Promise<string | null> => {
  const { ownerId: id, organizationId, title } = claimed
  try {
    const file = { name: `${title}.pdf`, contentType, blob: copy }
    return (await files.storeStaged(tx, { kind: 'user', id, organizationId }, file)).id
  } catch (problem) {
    if (!(problem instanceof AppError && problem.code === 'plan_limit_reached')) throw problem
    kernel.log.warn({ documentId: claimed.id }, 'There is no storage left for the copy of a sealed document.')
    return null
  }
}
