/** Nothing is sealed but the bytes that were shown: each original is read again and held against its hash. */
import { createHash } from 'node:crypto'
import { AppError } from '#kernel/errors.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { listFilesUnscoped } from '../queries/files.ts'

export const requireUntouched = async (
  { db, blobs }: Pick<Kernel, 'db' | 'blobs'>,
  documentId: string,
): Promise<void> => {
  for (const { blobKey, sha256 } of await listFilesUnscoped(db, documentId)) {
    const blob = await blobs.get(blobKey)
    if (!blob) throw new AppError('original_changed')
    const hash = createHash('sha256')
    for await (const piece of blob.stream) hash.update(piece as Buffer)
    if (hash.digest('hex') !== sha256) throw new AppError('original_changed')
  }
}
