/** Creates, changes and deletes chat folders. Folders can be nested, but not inside themselves. */
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { ChatsContext } from '../context.ts'
import {
  countChatsUnscoped,
  deleteFolder,
  type FolderRow,
  type FolderWithCount,
  insertFolderUnscoped,
  lockFolders,
  updateFolder,
} from '../queries/folders.ts'

const maxFolders = 1000

interface Options {
  name?: string | undefined
  parentId?: string | null | undefined
}

export const createFolder = async (
  context: ChatsContext,
  actor: Actor,
  { name, parentId = null }: Options & { name: string },
): Promise<FolderRow> => {
  const { db, clock, ids } = context
  await context.requireWritable(db, actor)
  const now = clock.now()
  const folder: FolderRow = { id: ids.next(), userId: actor.id, parentId, name, createdAt: now, updatedAt: now }
  await db.transaction().execute(async (tx) => {
    const folders = await lockFolders(tx, actor)
    if (folders.length >= maxFolders) throw new AppError('folder_limit_reached')
    requireValidParent(folders, folder)
    await insertFolderUnscoped(tx, folder)
  })
  announceFolders(context, actor)
  return folder
}

export const changeFolder = async (
  context: ChatsContext,
  actor: Actor,
  { folderId, name, parentId }: Options & { folderId: string },
): Promise<FolderWithCount> => {
  const { db, clock } = context
  await context.requireWritable(db, actor)
  const changed = await db.transaction().execute(async (tx) => {
    const folders = await lockFolders(tx, actor)
    const stored = folders.find(({ id }) => id === folderId)
    if (!stored) throw new AppError('folder_not_found')
    const folder = {
      ...stored,
      name: name ?? stored.name,
      parentId: parentId === undefined ? stored.parentId : parentId,
      updatedAt: clock.now(),
    }
    requireValidParent(folders, folder)
    await updateFolder(tx, actor, {
      id: folderId,
      name: folder.name,
      parentId: folder.parentId,
      updatedAt: folder.updatedAt,
    })
    return { ...folder, chatCount: await countChatsUnscoped(tx, folderId) }
  })
  announceFolders(context, actor)
  return changed
}

export const removeFolder = async (context: ChatsContext, actor: Actor, folderId: string): Promise<void> => {
  if (!(await deleteFolder(context.db, actor, folderId))) throw new AppError('folder_not_found')
  announceFolders(context, actor)
}

/** The parent is one of the person's own, and none of its ancestors is the folder itself. */
const requireValidParent = (folders: readonly FolderRow[], { id, parentId }: FolderRow): void => {
  const known = new Map(folders.map((folder) => [folder.id, folder]))
  if (parentId !== null && !known.has(parentId)) throw new AppError('folder_not_found')
  for (let above = parentId; above !== null; above = known.get(above)?.parentId ?? null)
    if (above === id) throw new AppError('folder_cycle')
}

const announceFolders = ({ realtime }: Pick<ChatsContext, 'realtime'>, actor: Actor): void =>
  realtime.emit(actor.id, { chat_id: null, message_id: null, data: { type: 'folders:changed', data: {} } })
