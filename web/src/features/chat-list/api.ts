/** The calls of the chat list: chats, folders, tags, shares, import and export. */

import {
  Chat,
  type ChatListItem,
  type Folder,
  ImportReply,
  PublicChat,
  type PublicLinkBody,
} from '@chancery/contract/chats/chats.ts'
import * as chatsEndpoints from '@chancery/contract/endpoints/chats.ts'
import { addressOf } from '@chancery/contract/reading/address.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type ChatFilter, chatKeys } from '#data/chat-keys.ts'
import { allPages } from '#lib/http/all-pages.ts'
import { api, type UploadOptions } from '#lib/http/api.ts'
import { call } from '#lib/http/call.ts'
import { ApiError } from '#lib/problems/api-error.ts'

const pageSize = 60

const wordsOf = ({ pinned, archived, ...rest }: ChatFilter) => ({
  ...rest,
  pinned: pinned?.toString(),
  archived: archived?.toString(),
})

/** All pages, one after the other. */
export const listQuery = (filter: ChatFilter) =>
  infiniteQueryOptions({
    queryKey: chatKeys.list(filter),
    queryFn: ({ pageParam }) =>
      call(chatsEndpoints.listChats, { query: { ...wordsOf(filter), page: pageParam, limit: pageSize } }),
    initialPageParam: 1,
    getNextPageParam: ({ total }, pages) => (pages.length * pageSize < total ? pages.length + 1 : undefined),
  })

export const sharesQuery = queryOptions({
  queryKey: chatKeys.shares,
  queryFn: async () =>
    (await allPages((page) => call(chatsEndpoints.listChats, { query: { shared: 'true', ...page } }))).items,
  staleTime: 0,
})

export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: chatKeys.search(text),
    queryFn: () => call(chatsEndpoints.searchChats, { query: { text, limit: 30 } }),
    enabled: text !== '',
  })

export const foldersQuery = queryOptions({
  queryKey: chatKeys.folders,
  queryFn: async () => (await call(chatsEndpoints.listFolders)).items,
})

export const tagsQuery = queryOptions({
  queryKey: chatKeys.tags,
  queryFn: async () => (await call(chatsEndpoints.listTags)).items,
})

export const sharedQuery = (shareId: string) =>
  queryOptions({
    queryKey: chatKeys.shared(shareId),
    queryFn: () => call(chatsEndpoints.getSharedChat, { params: { shareId } }),
  })

/** Files of a shared chat are read through the share. */
export const sharedFileUrl = (shareId: string, fileId: string): string =>
  addressOf(chatsEndpoints.readSharedFile, { params: { shareId, fileId } })

export const publicChatQuery = (token: string) =>
  queryOptions({
    queryKey: chatKeys.publicChat(token),
    queryFn: () => call({ ...chatsEndpoints.getPublicChat, reply: PublicChat }, { params: { token } }),
  })

export const publicFileUrl = (token: string, fileId: string): string =>
  addressOf(chatsEndpoints.readPublicFile, { params: { token, fileId } })

/** Null while the chat isn't shared. */
export const shareOfQuery = (chatId: string) =>
  queryOptions({
    queryKey: chatKeys.shareOf(chatId),
    queryFn: () =>
      call(chatsEndpoints.getShareLink, { params: { chatId } }).catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'share_not_found') return null
        throw error
      }),
  })

/** Asked for every second while the import runs. */
export const importQuery = (importId: string) =>
  queryOptions({
    queryKey: chatKeys.import(importId),
    queryFn: () => call(chatsEndpoints.getImport, { params: { importId } }),
    refetchInterval: 1000,
    // It is not there until the upload has begun.
    retry: false,
  })

/** The URL to download all chats as one file. */
export const exportAddress = addressOf(chatsEndpoints.exportChats)

export const chatCalls = {
  get: (id: string) => call({ ...chatsEndpoints.getChat, reply: Chat }, { params: { chatId: id } }),
  rename: ({ id }: ChatListItem, title: string) =>
    call(chatsEndpoints.mergeChat, { params: { chatId: id }, body: { chat: { title } } }),
  pin: ({ id }: ChatListItem, pinned: boolean) =>
    call(chatsEndpoints.pinChat, { params: { chatId: id }, body: { pinned } }),
  archive: ({ id }: ChatListItem, archived: boolean) =>
    call(chatsEndpoints.archiveChat, { params: { chatId: id }, body: { archived } }),
  move: ({ id }: ChatListItem, folderId: string | null) =>
    call(chatsEndpoints.moveChat, { params: { chatId: id }, body: { folder_id: folderId } }),
  tag: ({ id }: ChatListItem, tags: readonly string[]) =>
    call(chatsEndpoints.tagChat, { params: { chatId: id }, body: { tags } }),
  /** With all branches and images, as a file that can be imported. */
  export: (id: string) => call({ ...chatsEndpoints.exportChats, reply: Chat.array() }, { query: { chat_id: id } }),
  clone: (id: string) => call(chatsEndpoints.cloneChat, { params: { chatId: id }, body: {} }),
  remove: (id: string) => call(chatsEndpoints.deleteChat, { params: { chatId: id } }),
  /** With the id of a share, only that one is updated. */
  share: (id: string, shareId?: string) =>
    call(chatsEndpoints.shareChat, {
      params: { chatId: id },
      body: shareId === undefined ? {} : { share_id: shareId },
    }),
  stopSharing: (id: string) => call(chatsEndpoints.unshareChat, { params: { chatId: id } }),
  publish: (id: string, body: PublicLinkBody) => call(chatsEndpoints.openPublicLink, { params: { chatId: id }, body }),
  unpublish: (id: string) => call(chatsEndpoints.closePublicLink, { params: { chatId: id } }),
  cloneShared: (shareId: string) => call(chatsEndpoints.cloneSharedChat, { params: { shareId }, body: {} }),
  import: (file: File, { importId, ...options }: UploadOptions & { importId: string }) =>
    api.upload(addressOf(chatsEndpoints.importChats, { query: { import_id: importId } }), file, ImportReply, options),
}

export const folderCalls = {
  create: (name: string, parentId: string | null) =>
    call(chatsEndpoints.createFolder, { body: { name, parent_id: parentId } }),
  rename: ({ id }: Folder, name: string) =>
    call(chatsEndpoints.changeFolder, { params: { folderId: id }, body: { name } }),
  reparent: ({ id }: Folder, parentId: string | null) =>
    call(chatsEndpoints.changeFolder, { params: { folderId: id }, body: { parent_id: parentId } }),
  remove: ({ id }: Folder) => call(chatsEndpoints.deleteFolder, { params: { folderId: id } }),
}
