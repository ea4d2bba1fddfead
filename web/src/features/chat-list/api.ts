/** The calls of the chat list: chats, folders, tags, shares, import and export. */
import {
  Chat,
  ChatList,
  ChatListItem,
  Folder,
  FolderList,
  ImportProgress,
  ImportReply,
  SharedChat,
  ShareReply,
  TagList,
} from '@chancery/contract/chats.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, type UploadOptions, withQuery } from '#lib/api.ts'
import { type ChatFilter, chatKeys } from '#lib/chat-keys.ts'

const chats = '/api/v1/chats'
const folders = '/api/v1/folders'
const pageSize = 60

const one = (id: string, rest = '') => `${chats}/${encodeURIComponent(id)}${rest}`
const oneFolder = (id: string) => `${folders}/${encodeURIComponent(id)}`

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
      api.get(withQuery(`${chats}/`, { ...wordsOf(filter), page: pageParam, limit: pageSize }), ChatList),
    initialPageParam: 1,
    getNextPageParam: ({ total }, pages) => (pages.length * pageSize < total ? pages.length + 1 : undefined),
  })

/** The first ones; few people share more. */
export const sharesQuery = queryOptions({
  queryKey: chatKeys.shares,
  queryFn: async () => (await api.get(withQuery(`${chats}/`, { shared: 'true', limit: 100 }), ChatList)).items,
  staleTime: 0,
})

export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: chatKeys.search(text),
    queryFn: () => api.get(withQuery(`${chats}/search`, { text, limit: 30 }), ChatList),
    enabled: text !== '',
  })

export const foldersQuery = queryOptions({
  queryKey: chatKeys.folders,
  queryFn: async () => (await api.get(folders, FolderList)).items,
})

export const tagsQuery = queryOptions({
  queryKey: chatKeys.tags,
  queryFn: async () => (await api.get(`${chats}/all/tags`, TagList)).items,
})

export const sharedQuery = (shareId: string) =>
  queryOptions({
    queryKey: chatKeys.shared(shareId),
    queryFn: () => api.get(`${chats}/share/${encodeURIComponent(shareId)}`, SharedChat),
  })

/** Asked for every second while the import runs. */
export const importQuery = (importId: string) =>
  queryOptions({
    queryKey: chatKeys.import(importId),
    queryFn: () => api.get(`${chats}/imports/${importId}`, ImportProgress),
    refetchInterval: 1000,
    // It is not there until the upload has begun.
    retry: false,
  })

export const chatCalls = {
  get: (id: string) => api.get(one(id), Chat),
  shareIdOf: async (id: string) => (await api.get(one(id, '?branch=active'), Chat)).share_id,
  rename: ({ id }: ChatListItem, title: string) => api.post(one(id), { chat: { title } }, Chat),
  pin: ({ id }: ChatListItem, pinned: boolean) => api.post(one(id, '/pin'), { pinned }, ChatListItem),
  archive: ({ id }: ChatListItem, archived: boolean) => api.post(one(id, '/archive'), { archived }, ChatListItem),
  move: ({ id }: ChatListItem, folderId: string | null) =>
    api.post(one(id, '/folder'), { folder_id: folderId }, ChatListItem),
  tag: ({ id }: ChatListItem, tags: readonly string[]) => api.post(one(id, '/tags'), { tags }, ChatListItem),
  clone: (id: string) => api.post(one(id, '/clone'), {}, Chat),
  remove: (id: string) => api.tell('DELETE', one(id)),
  share: (id: string) => api.post(one(id, '/share'), {}, ShareReply),
  stopSharing: (id: string) => api.tell('DELETE', one(id, '/share')),
  cloneShared: (shareId: string) => api.post(`${chats}/share/${encodeURIComponent(shareId)}/clone`, {}, Chat),
  import: (file: File, { importId, ...options }: UploadOptions & { importId: string }) =>
    api.upload(withQuery(`${chats}/import`, { import_id: importId }), file, ImportReply, options),
}

/** The URL to download all chats as one file. */
export const exportAddress = `${chats}/all`

export const folderCalls = {
  create: (name: string, parentId: string | null) => api.post(folders, { name, parent_id: parentId }, Folder),
  rename: ({ id }: Folder, name: string) => api.patch(oneFolder(id), { name }, Folder),
  reparent: ({ id }: Folder, parentId: string | null) => api.patch(oneFolder(id), { parent_id: parentId }, Folder),
  remove: ({ id }: Folder) => api.tell('DELETE', oneFolder(id)),
}
