/**
 * A file of a shared chat. Only files that the shared thread shows, and of those only the author's own: anybody can write
 * a foreign id into a message.
 */
import { AppError } from '#kernel/errors.ts'
import { replyWithBlob } from '#kernel/http/blob-reply.ts'
import type { RawReply } from '#kernel/http/raw-reply.ts'
import type { HttpCall } from '#kernel/http/route.ts'
import type { ChatsContext } from './context.ts'
import { sharedFilesOf } from './public-view.ts'
import type { SharedView } from './share-chat.ts'

interface Request {
  fileId: string
  http: HttpCall
}

export const readSharedFile = async (
  { db, blobs, files }: ChatsContext,
  { share, chat }: SharedView,
  { fileId, http }: Request,
): Promise<RawReply> => {
  const isShown = chat.messages.flatMap(sharedFilesOf).some(({ id }) => id === fileId.toLowerCase())
  const [file] = isShown ? await files.listUnscoped(db, [fileId]) : []
  if (file?.ownerKind !== 'user' || file.ownerId !== share.userId) throw new AppError('not_found')
  return replyWithBlob({ blobs, http }, { ...file, key: file.blobKey }, { inline: true })
}
