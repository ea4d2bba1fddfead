/** Chats, their folders, tags, ratings and shares, and prompts. */
import {
  ArchiveBody,
  Chat,
  ChatFolderBody,
  ChatList,
  ChatListItem,
  ChatListQuery,
  ChatMergeBody,
  ChatOptions,
  ChatQuery,
  ChatSearchQuery,
  ChatSearchReply,
  CloneBody,
  DeleteAllQuery,
  DeleteAllReply,
  ExportQuery,
  Folder,
  FolderBody,
  FolderList,
  FolderPatch,
  ImportList,
  ImportProgress,
  ImportQuery,
  ImportReply,
  MessageEventBody,
  NewChatBody,
  PinBody,
  PublicLinkBody,
  ShareBody,
  SharedChat,
  ShareReply,
  TagList,
  TagsBody,
} from '../chats/chats.ts'
import { Prompt, PromptBody, PromptList } from '../chats/prompts.ts'
import { RatingBody, RatingQuery } from '../chats/ratings.ts'
import { del, get, patch, post, put } from '../endpoint.ts'

export const searchChats = get('/api/v1/chats/search', { query: ChatSearchQuery, reply: ChatSearchReply })
export const createChat = post('/api/v1/chats/new', { body: NewChatBody, reply: Chat })
export const getChat = get('/api/v1/chats/:chatId', { query: ChatQuery, reply: 'raw' })
export const mergeChat = post('/api/v1/chats/:chatId', { body: ChatMergeBody, reply: Chat })
export const deleteChat = del('/api/v1/chats/:chatId')
export const deleteMessage = del('/api/v1/chats/:chatId/messages/:messageId')
export const sendMessageEvent = post('/api/v1/chats/:chatId/messages/:messageId/event', { body: MessageEventBody })
export const pinChat = post('/api/v1/chats/:chatId/pin', { body: PinBody, reply: ChatListItem })
export const archiveChat = post('/api/v1/chats/:chatId/archive', { body: ArchiveBody, reply: ChatListItem })
export const tagChat = post('/api/v1/chats/:chatId/tags', { body: TagsBody, reply: ChatListItem })
export const moveChat = post('/api/v1/chats/:chatId/folder', { body: ChatFolderBody, reply: ChatListItem })
export const listTags = get('/api/v1/chats/all/tags', { reply: TagList })
export const listFolders = get('/api/v1/folders', { reply: FolderList })
export const createFolder = post('/api/v1/folders', { body: FolderBody, reply: Folder, status: 201 })
export const changeFolder = patch('/api/v1/folders/:folderId', { body: FolderPatch, reply: Folder })
export const deleteFolder = del('/api/v1/folders/:folderId')
export const listPrompts = get('/api/v1/prompts', { reply: PromptList })
export const createPrompt = post('/api/v1/prompts', { body: PromptBody, reply: Prompt, status: 201 })
export const updatePrompt = put('/api/v1/prompts/:promptId', { body: PromptBody, reply: Prompt })
export const deletePrompt = del('/api/v1/prompts/:promptId')
export const getChatDefaults = get('/api/v1/chats/defaults', { reply: ChatOptions })
export const setChatDefaults = put('/api/v1/chats/defaults', { body: ChatOptions, reply: ChatOptions })
export const getShareLink = get('/api/v1/chats/:chatId/share', { reply: ShareReply })
export const openPublicLink = put('/api/v1/chats/:chatId/share/public', { body: PublicLinkBody, reply: ShareReply })
export const closePublicLink = del('/api/v1/chats/:chatId/share/public')
export const getPublicChat = get('/api/public/chats/:token', { reply: 'raw' })
export const readPublicFile = get('/api/public/chats/:token/files/:fileId', { reply: 'raw' })
export const rateMessage = put('/api/v1/chats/:chatId/messages/:messageId/rating', { body: RatingBody })
export const unrateMessage = del('/api/v1/chats/:chatId/messages/:messageId/rating')
export const listRatings = get('/api/v1/ratings', { query: RatingQuery, reply: 'raw' })
export const shareChat = post('/api/v1/chats/:chatId/share', { body: ShareBody, reply: ShareReply })
export const unshareChat = del('/api/v1/chats/:chatId/share')
export const getSharedChat = get('/api/v1/chats/share/:shareId', { reply: SharedChat })
export const readSharedFile = get('/api/v1/chats/share/:shareId/files/:fileId', { reply: 'raw' })
export const cloneChat = post('/api/v1/chats/:chatId/clone', { body: CloneBody, reply: Chat })
export const cloneSharedChat = post('/api/v1/chats/share/:shareId/clone', { body: CloneBody, reply: Chat })
export const exportChats = get('/api/v1/chats/all', { query: ExportQuery, reply: 'raw' })
export const importChats = post('/api/v1/chats/import', { query: ImportQuery, reply: ImportReply })
export const listImports = get('/api/v1/chats/imports', { reply: ImportList })
export const getImport = get('/api/v1/chats/imports/:importId', { reply: ImportProgress })
export const listChats = get('/api/v1/chats/', { query: ChatListQuery, reply: ChatList })
export const deleteAllChats = del('/api/v1/chats/', { query: DeleteAllQuery, reply: DeleteAllReply })
