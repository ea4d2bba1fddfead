/** Organizes chats: pin, archive, tags, folders. */
import {
  ArchiveBody,
  ChatFolderBody,
  ChatListItem,
  Folder,
  FolderBody,
  FolderList,
  FolderPatch,
  PinBody,
  TagList,
  TagsBody,
} from '@chancery/contract/chats.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { ChatsContext } from '../context.ts'
import { archiveChat, fileChat, pinChat, tagChat } from '../organizing/organize-chat.ts'
import { changeFolder, createFolder, removeFolder } from '../organizing/save-folder.ts'
import { presentFolder, presentListItem } from '../present.ts'
import { listFolders } from '../queries/folders.ts'
import { listTags } from '../queries/lists.ts'

const chat = '/api/v1/chats/:chatId'
const folders = '/api/v1/folders'

export const organizeRoutes = (context: ChatsContext): Route[] => [
  route({
    method: 'POST',
    path: `${chat}/pin`,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Pin a chat or unpin it; without a body the state is toggled',
    body: PinBody,
    reply: ChatListItem,
    handle: async ({ actor, params, body }) =>
      presentListItem(await pinChat(context, actor, { chatId: params.chatId, pinned: body?.pinned })),
  }),
  route({
    method: 'POST',
    path: `${chat}/archive`,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Archive or unarchive a chat; without a body the state is toggled',
    body: ArchiveBody,
    reply: ChatListItem,
    handle: async ({ actor, params, body }) =>
      presentListItem(await archiveChat(context, actor, { chatId: params.chatId, archived: body?.archived })),
  }),
  route({
    method: 'POST',
    path: `${chat}/tags`,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Set the tags of a chat',
    body: TagsBody,
    reply: ChatListItem,
    handle: async ({ actor, params, body }) =>
      presentListItem(await tagChat(context, actor, { chatId: params.chatId, tags: body.tags })),
  }),
  route({
    method: 'POST',
    path: `${chat}/folder`,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Move a chat to a folder; null removes it from its folder',
    body: ChatFolderBody,
    reply: ChatListItem,
    handle: async ({ actor, params, body }) =>
      presentListItem(await fileChat(context, actor, { chatId: params.chatId, folderId: body.folder_id })),
  }),
  route({
    method: 'GET',
    path: '/api/v1/chats/all/tags',
    access: 'user',
    summary: 'The tags on the caller’s chats',
    reply: TagList,
    handle: async ({ actor }) => {
      const tags = await listTags(context.db, actor)
      return { items: tags.map(({ name, chatCount }) => ({ name, chat_count: chatCount })), total: tags.length }
    },
  }),
  ...folderRoutes(context),
]

const folderRoutes = (context: ChatsContext): Route[] => [
  route({
    method: 'GET',
    path: folders,
    access: 'user',
    summary: 'The caller’s folders for chats',
    reply: FolderList,
    handle: async ({ actor }) => {
      const items = await listFolders(context.db, actor)
      return { items: items.map(presentFolder), total: items.length }
    },
  }),
  route({
    method: 'POST',
    path: folders,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Create a folder, optionally inside another',
    body: FolderBody,
    reply: Folder,
    status: 201,
    handle: async ({ actor, body }) => {
      const folder = await createFolder(context, actor, { name: body.name, parentId: body.parent_id ?? null })
      return presentFolder({ ...folder, chatCount: 0 })
    },
  }),
  route({
    method: 'PATCH',
    path: `${folders}/:folderId`,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Rename a folder or move it',
    body: FolderPatch,
    reply: Folder,
    handle: async ({ actor, params, body }) =>
      presentFolder(
        await changeFolder(context, actor, { folderId: params.folderId, name: body.name, parentId: body.parent_id }),
      ),
  }),
  route({
    method: 'DELETE',
    path: `${folders}/:folderId`,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Delete a folder and the folders in it; chats stay, without a folder',
    handle: ({ actor, params }) => removeFolder(context, actor, params.folderId),
  }),
]
