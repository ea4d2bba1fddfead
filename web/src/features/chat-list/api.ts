/** The calls of the chat list: chats, folders, tags, shares, import and export. */
import {
  Chat,
  ChatList,
  ChatListItem,
  Folder,
  FolderList,
  ImportProgress,
  ImportReply,
  PublicChat,
  type PublicLinkBody,
  SharedChat,
  ShareReply,
  TagList,
} from '@chancery/contract/chats.ts'
import { Organization } from '@chancery/contract/organizations.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { allPages } from '#lib/http/all-pages.ts'
import { api, type UploadOptions } from '#lib/http/api.ts'
import { withQuery } from '#lib/http/with-query.ts'
import { ApiError } from '#lib/problems/api-error.ts'
import { type ChatFilter, chatKeys } from '#lib/queries/chat-keys.ts'

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

export const sharesQuery = queryOptions({
  queryKey: chatKeys.shares,
  queryFn: async () =>
    (await allPages((page) => api.get(withQuery(`${chats}/`, { shared: 'true', ...page }), ChatList))).items,
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

/** Files of a shared chat are read through the share. */
export const sharedFileUrl = (shareId: string, fileId: string): string =>
  `${chats}/share/${encodeURIComponent(shareId)}/files/${encodeURIComponent(fileId)}`

const publicChat = (token: string) => `/api/public/chats/${encodeURIComponent(token)}`

export const publicChatQuery = (token: string) =>
  queryOptions({ queryKey: chatKeys.publicChat(token), queryFn: () => api.get(publicChat(token), PublicChat) })

export const publicFileUrl = (token: string, fileId: string): string =>
  `${publicChat(token)}/files/${encodeURIComponent(fileId)}`

/** The same key as the organization's pages. */
export const organizationQuery = queryOptions({
  queryKey: ['organization'],
  queryFn: () => api.get('/api/org/me', Organization),
})

/** Null while the chat isn't shared. */
export const shareOfQuery = (chatId: string) =>
  queryOptions({
    queryKey: chatKeys.shareOf(chatId),
    queryFn: () =>
      api.get(one(chatId, '/share'), ShareReply).catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'share_not_found') return null
        throw error
      }),
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

/** The URL to download all chats as one file. */
export const exportAddress = `${chats}/all`

export const chatCalls = {
  get: (id: string) => api.get(one(id), Chat),
  rename: ({ id }: ChatListItem, title: string) => api.post(one(id), { chat: { title } }, Chat),
  pin: ({ id }: ChatListItem, pinned: boolean) => api.post(one(id, '/pin'), { pinned }, ChatListItem),
  archive: ({ id }: ChatListItem, archived: boolean) => api.post(one(id, '/archive'), { archived }, ChatListItem),
  move: ({ id }: ChatListItem, folderId: string | null) =>
    api.post(one(id, '/folder'), { folder_id: folderId }, ChatListItem),
  tag: ({ id }: ChatListItem, tags: readonly string[]) => api.post(one(id, '/tags'), { tags }, ChatListItem),
  /** With all branches and images, as a file that can be imported. */
  export: (id: string) => api.get(withQuery(exportAddress, { chat_id: id }), Chat.array()),
  clone: (id: string) => api.post(one(id, '/clone'), {}, Chat),
  remove: (id: string) => api.tell('DELETE', one(id)),
  /** With the id of a share, only that one is updated. */
  share: (id: string, shareId?: string) =>
    api.post(one(id, '/share'), shareId === undefined ? {} : { share_id: shareId }, ShareReply),
  stopSharing: (id: string) => api.tell('DELETE', one(id, '/share')),
  publish: (id: string, body: PublicLinkBody) => api.put(one(id, '/share/public'), body, ShareReply),
  unpublish: (id: string) => api.tell('DELETE', one(id, '/share/public')),
  cloneShared: (shareId: string) => api.post(`${chats}/share/${encodeURIComponent(shareId)}/clone`, {}, Chat),
  import: (file: File, { importId, ...options }: UploadOptions & { importId: string }) =>
    api.upload(withQuery(`${chats}/import`, { import_id: importId }), file, ImportReply, options),
}

export const folderCalls = {
  create: (name: string, parentId: string | null) => api.post(folders, { name, parent_id: parentId }, Folder),
  rename: ({ id }: Folder, name: string) => api.patch(oneFolder(id), { name }, Folder),
  reparent: ({ id }: Folder, parentId: string | null) => api.patch(oneFolder(id), { parent_id: parentId }, Folder),
  remove: ({ id }: Folder) => api.tell('DELETE', oneFolder(id)),
}
