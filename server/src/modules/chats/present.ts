/** The only way from rows to JSON. */
import {
  type Chat,
  type ChatListItem,
  type ChatSearchReply,
  type Folder,
  type PublicChat,
  publicChatPagePath,
  type SharedChat,
  type ShareReply,
  sharePagePath,
} from '@chancery/contract/chats/chats.ts'
import type { Prompt } from '@chancery/contract/chats/prompts.ts'
import type { RatingRow as Rating } from '@chancery/contract/chats/ratings.ts'
import type { z } from 'zod'
import { unixSeconds } from '#kernel/clock.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { ChatRow } from './queries/chats.ts'
import type { FolderWithCount } from './queries/folders.ts'
import type { MessageRow } from './queries/messages.ts'
import type { PromptRow } from './queries/prompts.ts'
import type { RatingRow } from './queries/ratings.ts'
import type { FoundChat, FoundChats } from './queries/search.ts'
import type { ShareRow } from './queries/shares.ts'
import { presentStoredChat } from './reading/thread.ts'
import { publicMessagesOf, publicTokenOf } from './sharing/public-view.ts'
import type { SharedView } from './sharing/share-chat.ts'

export const presentListItem = (
  row: Pick<ChatRow, 'id' | 'title' | 'createdAt' | 'updatedAt' | 'archived' | 'pinned' | 'folderId' | 'tags'> & {
    isPublic?: boolean | undefined
  },
): ChatListItem => ({
  id: row.id,
  title: row.title,
  updated_at: unixSeconds(row.updatedAt),
  created_at: unixSeconds(row.createdAt),
  archived: row.archived,
  pinned: row.pinned,
  folder_id: row.folderId,
  tags: row.tags,
  ...(row.isPublic === undefined ? {} : { is_public: row.isPublic }),
})

export const presentChat = (
  row: ChatRow,
  messages: readonly MessageRow[],
  links: readonly Pick<MessageRow, 'id' | 'parentId'>[] = messages,
): Chat => ({
  id: row.id,
  user_id: row.userId,
  title: row.title,
  chat: presentStoredChat(row, messages, links),
  updated_at: unixSeconds(row.updatedAt),
  created_at: unixSeconds(row.createdAt),
  archived: row.archived,
  pinned: row.pinned,
  folder_id: row.folderId,
  share_id: row.shareId,
  meta: { tags: row.tags },
})

const presentFound = ({ snippet, ...row }: FoundChat): ChatListItem => ({
  ...presentListItem(row),
  ...(snippet === null ? {} : { snippet }),
})

export const presentSearch = ({ items, total, searchedTo }: FoundChats): z.infer<typeof ChatSearchReply> => ({
  items: items.map(presentFound),
  total,
  ...(searchedTo && { searched_to: unixSeconds(searchedTo) }),
})

export const presentFolder = (row: FolderWithCount): Folder => ({
  id: row.id,
  name: row.name,
  parent_id: row.parentId,
  chat_count: row.chatCount,
  created_at: unixSeconds(row.createdAt),
  updated_at: unixSeconds(row.updatedAt),
})

export const presentShare = (
  share: ShareRow,
  actor: Pick<Actor, 'organizationId'>,
  { externalUrl }: { externalUrl: string },
): ShareReply => {
  const token = publicTokenOf(share, actor)
  return {
    share_id: share.id,
    url: externalUrl + sharePagePath(share.id),
    shared_at: unixSeconds(share.sharedAt),
    public_url: token === null ? null : externalUrl + publicChatPagePath(token),
    show_author: token !== null && share.showsAuthor,
  }
}

export const presentPublic = ({ share, author, chat }: SharedView): PublicChat => ({
  title: share.title,
  author: share.showsAuthor ? author : null,
  shared_at: unixSeconds(share.sharedAt),
  messages: publicMessagesOf(chat),
})

export const presentShared = ({ share, author, chat }: SharedView): SharedChat => ({
  id: share.id,
  title: share.title,
  author,
  chat,
  shared_at: unixSeconds(share.sharedAt),
})

export const presentPrompt = (
  { id, userId, command, content, shared, createdAt, updatedAt }: PromptRow,
  actor: Pick<Actor, 'id'>,
): Prompt => ({
  id,
  command,
  content,
  shared,
  is_own: userId === actor.id,
  created_at: unixSeconds(createdAt),
  updated_at: unixSeconds(updatedAt),
})

export const presentRating = (row: RatingRow): Rating => ({
  chat_id: row.chatId,
  message_id: row.messageId,
  user_name: row.userName,
  model: row.model,
  rating: row.isGood ? 'good' : 'bad',
  reason: row.reason,
  rated_at: unixSeconds(row.ratedAt),
  share_id: row.shareId,
})
