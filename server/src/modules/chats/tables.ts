/** The tables this module owns. */
import type { ChatOptions } from '@chancery/contract/chats/chats.ts'
import type { Generated, GeneratedAlways } from 'kysely'

export interface ChatFoldersTable {
  id: string
  userId: string
  parentId: string | null
  name: string
  createdAt: Date
  updatedAt: Date
}

export interface ChatsTable {
  id: string
  userId: string
  title: string
  currentId: string | null
  models: string[]
  params: Record<string, unknown>
  files: unknown[]
  tags: string[]
  extra: Record<string, unknown>
  timestampMs: number
  folderId: string | null
  pinned: Generated<boolean>
  archived: Generated<boolean>
  shareId: string | null
  messageCount: Generated<number>
  byteSize: Generated<number>
  hasOwnTitle: Generated<boolean>
  hasOwnTags: Generated<boolean>
  version: Generated<number>
  createdAt: Date
  updatedAt: Date
  search: GeneratedAlways<unknown>
}

export interface ChatMessagesTable {
  chatId: string
  id: string
  /** The id as its caller writes it; null where that is in lower case. */
  spelling: string | null
  userId: string
  parentId: string | null
  parentSpelling: string | null
  role: 'user' | 'assistant' | 'system'
  content: string
  done: boolean
  taskId: string | null
  timestampSec: number
  body: Record<string, unknown>
  size: number
  position: GeneratedAlways<number>
  search: GeneratedAlways<unknown>
}

export interface ChatSharesTable {
  id: string
  chatId: string
  userId: string
  title: string
  chat: Record<string, unknown>
  sharedAt: Date
  /** The secret part of the public link; null while only the organization can read the share. */
  publicToken: Generated<string | null>
  /** The author's organization when they made the link. */
  publicOrganizationId: Generated<string | null>
  showsAuthor: Generated<boolean>
  /** The files that the snapshot shows. Null for old shares until the first request for one of their files. */
  fileIds: Generated<string[] | null>
}

export interface ChatImportsTable {
  userId: string
  id: string
  status: Generated<'running' | 'finished' | 'failed'>
  reason: string | null
  totalBytes: number | null
  readBytes: Generated<number>
  imported: Generated<number>
  skippedCount: Generated<number>
  startedAt: Date
  updatedAt: Date
}

export interface ChatDefaultsTable {
  userId: string
  options: ChatOptions
  updatedAt: Date
}

export interface PromptsTable {
  id: string
  userId: string
  organizationId: string | null
  command: string
  content: string
  shared: boolean
  createdAt: Date
  updatedAt: Date
}

export interface MessageRatingsTable {
  chatId: string
  messageId: string
  userId: string
  userName: string
  organizationId: string | null
  model: string
  isGood: boolean
  reason: string
  ratedAt: Date
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    chatFolders: ChatFoldersTable
    chats: ChatsTable
    chatMessages: ChatMessagesTable
    chatShares: ChatSharesTable
    chatImports: ChatImportsTable
    chatDefaults: ChatDefaultsTable
    prompts: PromptsTable
    messageRatings: MessageRatingsTable
  }
}
