/** Organizes chats: pin, archive, tags, folders. */
import * as endpoints from '@chancery/contract/endpoints/chats.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { ChatsContext } from '../context.ts'
import { archiveChat, fileChat, pinChat, tagChat } from '../organizing/organize-chat.ts'
import { changeFolder, createFolder, removeFolder } from '../organizing/save-folder.ts'
import { presentFolder, presentListItem } from '../present.ts'
import { listFolders } from '../queries/folders.ts'
import { listTags } from '../queries/lists.ts'

export const organizeRoutes = (context: ChatsContext): Route[] => [
  route({
    ...endpoints.pinChat,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Pin a chat or unpin it; without a body the state is toggled',
    handle: async ({ actor, params, body }) =>
      presentListItem(await pinChat(context, actor, { chatId: params.chatId, pinned: body?.pinned })),
  }),
  route({
    ...endpoints.archiveChat,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Archive or unarchive a chat; without a body the state is toggled',
    handle: async ({ actor, params, body }) =>
      presentListItem(await archiveChat(context, actor, { chatId: params.chatId, archived: body?.archived })),
  }),
  route({
    ...endpoints.tagChat,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Set the tags of a chat',
    handle: async ({ actor, params, body }) =>
      presentListItem(await tagChat(context, actor, { chatId: params.chatId, tags: body.tags })),
  }),
  route({
    ...endpoints.moveChat,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Move a chat to a folder; null removes it from its folder',
    handle: async ({ actor, params, body }) =>
      presentListItem(await fileChat(context, actor, { chatId: params.chatId, folderId: body.folder_id })),
  }),
  route({
    ...endpoints.listTags,
    access: 'user',
    summary: 'The tags on the caller’s chats',
    handle: async ({ actor }) => {
      const tags = await listTags(context.db, actor)
      return { items: tags.map(({ name, chatCount }) => ({ name, chat_count: chatCount })), total: tags.length }
    },
  }),
  ...folderRoutes(context),
]

const folderRoutes = (context: ChatsContext): Route[] => [
  route({
    ...endpoints.listFolders,
    access: 'user',
    summary: 'The caller’s folders for chats',
    handle: async ({ actor }) => {
      const items = await listFolders(context.db, actor)
      return { items: items.map(presentFolder), total: items.length }
    },
  }),
  route({
    ...endpoints.createFolder,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Create a folder, optionally inside another',
    handle: async ({ actor, body }) => {
      const folder = await createFolder(context, actor, { name: body.name, parentId: body.parent_id ?? null })
      return presentFolder({ ...folder, chatCount: 0 })
    },
  }),
  route({
    ...endpoints.changeFolder,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Rename a folder or move it',
    handle: async ({ actor, params, body }) =>
      presentFolder(
        await changeFolder(context, actor, { folderId: params.folderId, name: body.name, parentId: body.parent_id }),
      ),
  }),
  route({
    ...endpoints.deleteFolder,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Delete a folder and the folders in it; chats stay, without a folder',
    handle: ({ actor, params }) => removeFolder(context, actor, params.folderId),
  }),
]
