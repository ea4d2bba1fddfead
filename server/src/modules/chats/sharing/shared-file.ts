/**
 * A file of a shared chat. Only files that the shared thread shows, and of those only the author's own: anybody can write
 * a foreign id into a message.
 */
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import { replyWithBlob } from '#kernel/http/replies/blob-reply.ts'
import type { RawReply } from '#kernel/http/replies/raw-reply.ts'
import type { HttpCall } from '#kernel/http/route.ts'
import type { ChatsContext } from '../context.ts'
import { fillFileIdsUnscoped, showsFileUnscoped } from '../queries/shares.ts'
import { sharedFileIdsOf } from './public-view.ts'
import { type ReadableShare, withSnapshot } from './share-chat.ts'

interface Request {
  fileId: string
  http: HttpCall
}

export const readSharedFile = async (
  { db, blobs, files }: ChatsContext,
  readable: ReadableShare,
  { fileId, http }: Request,
): Promise<RawReply> => {
  const [file] = (await showsFile(db, readable, fileId)) ? await files.listUnscoped(db, [fileId]) : []
  if (file?.ownerKind !== 'user' || file.ownerId !== readable.share.userId) throw new AppError('not_found')
  return replyWithBlob({ blobs, http }, { ...file, key: file.blobKey }, { inline: true })
}

/** Reads the snapshot only the first time, for a share that was saved before the ids of its files were stored. */
const showsFile = async (db: Db, readable: ReadableShare, fileId: string): Promise<boolean> => {
  const stored = await showsFileUnscoped(db, readable.share.id, fileId)
  if (stored !== null) return stored
  const ids = sharedFileIdsOf((await withSnapshot(db, readable)).chat)
  await fillFileIdsUnscoped(db, readable.share.id, ids)
  return ids.includes(fileId.toLowerCase())
}
